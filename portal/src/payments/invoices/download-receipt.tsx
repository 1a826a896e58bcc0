import { useMutation } from '@tanstack/react-query'
import { Button, type ButtonKind } from '../../ui/button/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useJustChanged } from '../../ui/use-just-changed.ts'
import { ErrorText } from '../../ui/form/error-text.tsx'
import styles from './invoice-actions.module.css'
import { receiptMutation } from '../../api/receipts.data.ts'
import { saveFile } from '../../api/save-file.ts'

interface DownloadReceiptProps {
  /** The id of the payment. */
  readonly id: string
  /** Tells several buttons of one page apart in a screen reader: "of 21 Nov 2026, $110.00". */
  readonly description?: string
  readonly kind?: ButtonKind
}

/** A button that downloads and saves a payment's receipt; shows progress, and a failure beside it. */
export const DownloadReceipt = ({ id, description, kind = 'plain' }: DownloadReceiptProps) => {
  const download = useMutation(receiptMutation())
  const isSaved = useJustChanged(download.data)
  const save = (): void => download.mutate(id, { onSuccess: (file) => saveFile(file, 'Receipt.pdf') })
  return (
    <span className={styles.action}>
      <Button
        kind={kind}
        busy={download.isPending}
        busyText="Downloading…"
        {...(description !== undefined && { label: `Download receipt ${description}` })}
        onPress={save}
      >
        <Icon name={isSaved ? 'check' : 'download'} />
        Receipt
      </Button>
      <ErrorText>{download.isError && 'The file could not be fetched. Try again.'}</ErrorText>
    </span>
  )
}
