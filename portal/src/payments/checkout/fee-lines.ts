import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { FEE_LINES } from '@counterfoil/contract/kit/payments/payment-status'
import type { PaymentFee } from '@counterfoil/contract/kit/payments/payment-summary'
import { feeOf } from './fee-text.ts'
import type { MethodKind } from '../providers/panel.ts'

type IntentLine = PaymentIntent['invoices'][number]

/** Whether the line is a fee and not an invoice, by its number. */
const isFee = ({ invoiceNumber }: IntentLine): boolean => Object.keys(FEE_LINES).includes(invoiceNumber)

/** The lines of an intent, split into invoices and fees. */
export const splitLines = ({
  invoices,
}: Pick<PaymentIntent, 'invoices'>): { readonly invoices: readonly IntentLine[]; readonly fees: readonly IntentLine[] } => ({
  invoices: invoices.filter((line) => !isFee(line)),
  fees: invoices.filter(isFee),
})

/**
 * The fee of paying an intent, with the total (BP-01). While no method is chosen, it is the fee of the intent's first fee line.
 * @param kind  the kind of the chosen method; null while none is chosen
 */
export const feeFor = (intent: Pick<PaymentIntent, 'invoices' | 'fees'>, kind: MethodKind | null): PaymentFee | undefined => {
  const isDebitFirst = splitLines(intent).fees[0]?.invoiceNumber === ('DIRECT_DEBIT_FEE' satisfies keyof typeof FEE_LINES)
  return feeOf(intent.fees, kind ?? (isDebitFirst ? 'bank' : 'card'))
}
