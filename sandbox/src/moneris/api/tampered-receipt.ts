import type { Fault } from '../../faults/faults.ts'
import { toAmount, toCents } from '../payments/amounts.ts'
import { APPROVED, DECLINED, type Outcome, outcomeMessage } from '../payments/outcomes.ts'
import { type Layout, rejectedReceipt, timedOutReceipt } from './receipt.ts'
import type { ReceiptFields } from './xml.ts'

const WRONG_AMOUNT_OFFSET = 100

interface Tampering extends Pick<Fault, 'kind' | 'booked'> {
  readonly layout: Layout
}

/** The receipt with the fault's false claim: a wrong amount, a decline of a booked payment, or none in time. Else unchanged. */
export const tamperReceipt = (receipt: ReceiptFields, { kind, booked, layout }: Tampering): ReceiptFields => {
  switch (kind) {
    case 'action':
    case 'script-action':
      return timedOutReceipt(layout)
    case 'wrong-amount':
      return withWrongAmount(receipt)
    case 'decline':
      return booked ? toDeclined(receipt, layout) : receipt
    default:
      return receipt
  }
}

/** A receipt that says "approved" with WRONG_AMOUNT_OFFSET too much; a receipt without an amount stays what it is. */
const withWrongAmount = (receipt: ReceiptFields): ReceiptFields => {
  const amount = receipt['TransAmount']
  if (typeof amount !== 'string') return receipt
  return { ...withOutcome(receipt, APPROVED), TransAmount: toAmount(toCents(amount) + WRONG_AMOUNT_OFFSET) }
}

/** A receipt that says "declined"; one without an amount becomes a rejection. */
const toDeclined = (receipt: ReceiptFields, layout: Layout): ReceiptFields =>
  typeof receipt['TransAmount'] === 'string' ? { ...withOutcome(receipt, DECLINED), AuthCode: '000000' } : rejectedReceipt(layout)

/** The receipt with the codes and the message of another outcome. */
const withOutcome = (receipt: ReceiptFields, outcome: Outcome): ReceiptFields => ({
  ...receipt,
  ...outcome,
  Message: outcomeMessage(outcome),
})
