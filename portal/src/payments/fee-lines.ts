import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { FEE_LINES, type FeeLine } from '@counterfoil/contract/kit/payments/payment-status'

type IntentLine = PaymentIntent['invoices'][number]

const isFee = ({ invoiceNumber }: IntentLine): boolean => Object.keys(FEE_LINES).includes(invoiceNumber)

/** What the screen calls a fee line; undefined for an invoice. */
export const feeName = ({ invoiceNumber }: IntentLine): string | undefined => FEE_LINES[invoiceNumber as FeeLine]

/** An intent's lines with the invoices apart from the fees. */
export const splitLines = ({
  invoices,
}: Pick<PaymentIntent, 'invoices'>): { readonly invoices: readonly IntentLine[]; readonly fees: readonly IntentLine[] } => ({
  invoices: invoices.filter((line) => !isFee(line)),
  fees: invoices.filter(isFee),
})

/**
 * The fee line that applies: the one of the chosen kind of method, and before anything is chosen the first one.
 * @param kind  what pays; null while nothing is chosen
 */
export const feeFor = (intent: Pick<PaymentIntent, 'invoices'>, kind: 'card' | 'bank' | null): IntentLine | undefined => {
  const { fees } = splitLines(intent)
  if (kind === null) return fees[0]
  const wanted: FeeLine = kind === 'card' ? 'CREDIT_CARD_FEE' : 'DIRECT_DEBIT_FEE'
  return fees.find(({ invoiceNumber }) => invoiceNumber === wanted)
}

/**
 * What will be paid: every invoice, the adjustments, and the fee line that applies (payments.md §2, Bulk payment screen).
 * The amounts are the server's and exact to a thousandth; they are added up as whole thousandths.
 */
export const totalOf = (intent: Pick<PaymentIntent, 'invoices' | 'adjustmentsTotal'>, kind: 'card' | 'bank' | null): number => {
  const amounts = splitLines(intent).invoices.map(({ invoiceAmount }) => invoiceAmount)
  const fee = feeFor(intent, kind)?.invoiceAmount ?? 0
  return sum([...amounts, intent.adjustmentsTotal, fee])
}

/** A sum of amounts as JSON carries them, exact. */
export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + Math.round(amount * 1_000), 0) / 1_000
