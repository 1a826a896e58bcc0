import { PayInvoice } from '../../payments/invoices/invoice-actions.tsx'
import { PayInvoicesButton } from '../../payments/invoices/pay-invoices-button.tsx'
import { useAccount } from '../../shell/account/account.tsx'
import { UNPAID_INVOICES_PATH } from '../../shell/navigation/paths.ts'
import { RouterLinkButton } from '../../shell/navigation/router-link-button.tsx'
import { isPathEnabled } from '../../shell/navigation/sections.tsx'
import styles from './dashboard.module.css'
import { payAllText } from './due-texts.ts'
import type { Due } from './dues.ts'

/**
 * The buttons that pay all due of a currency where several invoices can be paid at once, else the only invoice; and the link to the list.
 * Nothing where neither is possible.
 */
export const DueButtons = ({ due, nouns }: { due: readonly Due[]; nouns: { readonly plural: string } }) => {
  const { branding, settings } = useAccount()
  const { enabled, bulk } = settings.payments
  const payable = enabled ? due.filter(({ payableIds }) => payableIds.length > 0) : []
  const [only] = due.length === 1 && due[0]?.invoices.length === 1 ? due[0].invoices : []
  const hasList = due.length > 0 && isPathEnabled('/invoices', branding)
  const hasPrimary = payable.length > 0 && (bulk || only !== undefined)
  if (!hasPrimary && !hasList) return null
  return (
    <div className={styles.buttons}>
      {bulk &&
        payable.map((group) => (
          <PayInvoicesButton key={group.symbol} invoiceIds={[...group.payableIds]}>
            {payAllText(group, due.length)}
          </PayInvoicesButton>
        ))}
      {!bulk && only && <PayInvoice invoice={only} kind="primary" />}
      {hasList && (
        <RouterLinkButton href={UNPAID_INVOICES_PATH} kind={hasPrimary || payable.length === 0 ? 'quiet' : 'primary'}>
          {payable.length > 0 ? `Choose ${nouns.plural}` : `See unpaid ${nouns.plural}`}
        </RouterLinkButton>
      )}
    </div>
  )
}
