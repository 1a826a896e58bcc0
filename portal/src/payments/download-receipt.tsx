import { useMutation } from '@tanstack/react-query'
import { Button, type ButtonKind } from '../ui/button/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useBriefly } from '../ui/use-just-changed.ts'
import styles from './invoice-actions.module.css'
import { receiptDocument } from '../api/receipts.data.ts'
import { saveFile } from '../api/save-file.ts'

interface DownloadReceiptProps {
  /** The payment's. */
  readonly id: string
  /** For a reader that speaks, where several stand on a page: "of 21 Nov 2026, $110.00". */
  readonly of?: string
  readonly kind?: ButtonKind
}

/** Saves a payment's receipt; says that it is working, and names a failure right beside itself. */
export const DownloadReceipt = ({ id, of, kind = 'plain' }: DownloadReceiptProps) => {
  const document = useMutation(receiptDocument())
  const isSaved = useBriefly(document.data)
  const save = (): void => document.mutate(id, { onSuccess: (file) => saveFile(file, 'Receipt.pdf') })
  return (
    <span className={styles.action}>
      <Button
        kind={kind}
        busy={document.isPending}
        busyText="Downloading…"
        {...(of !== undefined && { label: `Download receipt ${of}` })}
        onPress={save}
      >
        <Icon name={isSaved ? 'check' : 'download'} />
        Receipt
      </Button>
      {document.isError && (
        <span className={styles.failed} role="alert">
          The file could not be fetched. Try again.
        </span>
      )}
    </span>
  )
}
