import type { Invoice } from '@counterfoil/contract/invoices'
import { toFileName } from '@counterfoil/contract/kit/file-name'
import { useMutation } from '@tanstack/react-query'
import { Button, type ButtonKind } from '../../ui/button/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LinkButton } from '../../ui/button/link-button.tsx'
import { useJustChanged } from '../../ui/use-just-changed.ts'
import { useAccount } from '../../shell/account/account.tsx'
import { ErrorText } from '../../ui/form/error-text.tsx'
import styles from './invoice-actions.module.css'
import { invoicePdfMutation } from '../../api/invoices.data.ts'
import { payPath } from '../../shell/navigation/paths.ts'
import { saveFile, showFileIn, openWaitingTab } from '../../api/save-file.ts'

const DOWNLOAD_ERROR = 'The file could not be fetched. Try again.'

/** The file name of an invoice's PDF. */
const pdfName = ({ number }: Pick<Invoice, 'number'>): string => `${toFileName(number)}.pdf`

interface InvoiceButtonProps {
  invoice: Pick<Invoice, 'id' | 'number'>
  kind?: ButtonKind
}

/** A button that downloads and saves an invoice's PDF; shows progress, and a failure beside it. */
export const DownloadInvoice = ({ invoice, kind = 'plain', text = 'PDF' }: InvoiceButtonProps & { text?: string }) => {
  const download = useMutation(invoicePdfMutation())
  const isSaved = useJustChanged(download.data)
  const save = (): void => download.mutate(invoice.id, { onSuccess: (file) => saveFile(file, pdfName(invoice)) })
  return (
    <span className={styles.action}>
      <Button kind={kind} busy={download.isPending} busyText="Downloading…" label={`Download PDF of ${invoice.number}`} onPress={save}>
        <Icon name={isSaved ? 'check' : 'download'} />
        {text}
      </Button>
      <ErrorText>{download.isError && DOWNLOAD_ERROR}</ErrorText>
    </span>
  )
}

/** A button that opens an invoice's PDF in a new tab, or saves the PDF when the browser blocks new tabs. */
export const OpenInvoice = ({ invoice, text = 'Open' }: InvoiceButtonProps & { text?: string }) => {
  const download = useMutation(invoicePdfMutation())
  const show = (): void => {
    const tab = openWaitingTab(`Opening ${invoice.number}…`)
    download.mutate(invoice.id, {
      onSuccess: (file) => (tab === null ? saveFile(file, pdfName(invoice)) : showFileIn(tab, file)),
      onError: () => tab?.close(),
    })
  }
  return (
    <span className={styles.action}>
      <Button kind="plain" busy={download.isPending} busyText="Opening…" label={`${text} ${invoice.number} in a new tab`} onPress={show}>
        <Icon name="open" />
        {text}
      </Button>
      <ErrorText>{download.isError && DOWNLOAD_ERROR}</ErrorText>
    </span>
  )
}

/** A link to the payment page of one invoice; nothing when the invoice cannot be paid or payments are disabled. */
export const PayInvoice = ({
  invoice,
  kind = 'plain',
}: {
  invoice: Pick<Invoice, 'number' | 'canPay' | 'payToken'>
  kind?: ButtonKind
}) => {
  const { settings } = useAccount()
  if (!settings.payments.enabled || !invoice.canPay || invoice.payToken === null) return null
  return (
    <LinkButton kind={kind} href={payPath(invoice.payToken)} label={`Pay ${invoice.number}`}>
      Pay
    </LinkButton>
  )
}
