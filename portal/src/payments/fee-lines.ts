import { sumOfNumbers } from '@counterfoil/contract/kit/decimal'
import type { PaymentIntent } from '@counterfoil/contract/bulk-payment'
import { FEE_LINES, type FeeLine } from '@counterfoil/contract/kit/payments/payment-status'

type IntentLine = PaymentIntent['invoices'][number]

const isFee = ({ invoiceNumber }: IntentLine): boolean => Object.keys(FEE_LINES).includes(invoiceNumber)

/** The label of a fee line; undefined for an invoice. */
export const feeName = ({ invoiceNumber }: IntentLine): string | undefined => FEE_LINES[invoiceNumber as FeeLine]

/** The lines of an intent, split into invoices and fees. */
export const splitLines = ({
  invoices,
}: Pick<PaymentIntent, 'invoices'>): { readonly invoices: readonly IntentLine[]; readonly fees: readonly IntentLine[] } => ({
  invoices: invoices.filter((line) => !isFee(line)),
  fees: invoices.filter(isFee),
})

/**
 * The fee line of a kind of payment method; the first one while none is chosen.
 * @param kind  null while nothing is chosen
 */
export const feeFor = (intent: Pick<PaymentIntent, 'invoices'>, kind: 'card' | 'bank' | null): IntentLine | undefined => {
  const { fees } = splitLines(intent)
  if (kind === null) return fees[0]
  const wanted: FeeLine = kind === 'card' ? 'CREDIT_CARD_FEE' : 'DIRECT_DEBIT_FEE'
  return fees.find(({ invoiceNumber }) => invoiceNumber === wanted)
}

/**
 * The total to pay: all invoices, the adjustments and the applicable fee line (BP-01).
 */
export const totalOf = (intent: Pick<PaymentIntent, 'invoices' | 'adjustmentsTotal'>, kind: 'card' | 'bank' | null): number => {
  const amounts = splitLines(intent).invoices.map(({ invoiceAmount }) => invoiceAmount)
  const fee = feeFor(intent, kind)?.invoiceAmount ?? 0
  return sum([...amounts, intent.adjustmentsTotal, fee])
}

/** The exact sum of amounts with up to three decimals. */
export const sum = (amounts: readonly number[]): number => sumOfNumbers(amounts, 3)
