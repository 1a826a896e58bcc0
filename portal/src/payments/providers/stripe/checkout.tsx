import { messageOf, ShownError } from '../../../api/call-api.ts'
import { NAVIGATING, useSubmit } from '../../../ui/form/use-submit.ts'
import { safeRedirect } from '../../outcome/safe-redirect.ts'
import { fetchCheckoutSession } from './methods.data.ts'
import { SaveDialog } from '../../methods/save-dialog.tsx'
import type { AddDialogProps } from '../panel.ts'

/** The dialog that leaves for Stripe's own page, where a US bank account is stored. */
export const AddUsAccount = (props: AddDialogProps) => <CheckoutDialog {...props} title="Add ACH account" type="us_bank_account" />

/** The dialog that leaves for Stripe's own page, where a UK bank account is stored. */
export const AddUkAccount = (props: AddDialogProps) => <CheckoutDialog {...props} title="Add BACS account" type="bacs_debit" />

/** A dialog without fields, whose button leaves for Stripe's own page. */
const CheckoutDialog = ({ details, onClose, title, type }: AddDialogProps & { title: string; type: 'us_bank_account' | 'bacs_debit' }) => {
  const { busy, error, submit } = useSubmit(messageOf)

  const openCheckout = async (): Promise<unknown> => {
    const { url } = await fetchCheckoutSession(type)
    const redirectUrl = safeRedirect(url, details.scriptUrl)
    if (redirectUrl === null) throw new ShownError('The page of our payment partner cannot be opened. Please contact support.')
    location.assign(redirectUrl)
    return NAVIGATING
  }

  return (
    <SaveDialog
      title={title}
      saveLabel="Continue"
      busyLabel="Opening…"
      busy={busy}
      missing={[]}
      error={error}
      onClose={onClose}
      onSave={() => submit(openCheckout)}
    >
      <p>You will enter your bank account on the secure page of our payment partner and then return here.</p>
    </SaveDialog>
  )
}
