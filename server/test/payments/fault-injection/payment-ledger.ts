import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { FakePayment } from './fake-payment.ts'

/** How much of an invoice a payment is for. */
export interface RequestedAmount {
  readonly invoiceId: number
  readonly minor: number
}

export interface ExpectedInvoice {
  readonly status: number
  readonly dueMinor: number
}

/** What the billing engine said of an invoice itself. */
type EngineWord = 'credited' | 'paid elsewhere'

/**
 * The expected invoices, computed from the provider's ledger: a charge reduces what is due, a reversal raises it, a refund does not, and
 * what is credited or paid elsewhere is never due: a charge that still arrives for it is overpaid. What had gone back whole before it was
 * known paid nothing.
 */
export class PaymentLedger {
  readonly #invoices = new Map<number, { minor: number; word: EngineWord | null }>()
  readonly #asked = new Map<string, readonly RequestedAmount[]>()
  readonly #neverKnown = new Set<string>()

  get ids(): number[] {
    return [...this.#invoices.keys()]
  }

  addInvoice(id: number, minor: number): void {
    this.#invoices.set(id, { minor, word: null })
  }

  changeInvoice(id: number, word: EngineWord): void {
    const invoice = this.#invoices.get(id)
    if (invoice !== undefined) invoice.word = word
  }

  request(attemptId: string, requested: readonly RequestedAmount[]): void {
    this.#asked.set(attemptId, requested)
  }

  /** All of a payment had gone back before it was known. */
  forget(attemptId: string): void {
    this.#neverKnown.add(attemptId)
  }

  /** @returns null where it depends on when the billing engine spoke: a refund takes what is overpaid of the other invoices first */
  expected(id: number, payments: Iterable<FakePayment>): ExpectedInvoice | null {
    const { minor, word } = this.#invoices.get(id) ?? { minor: 0, word: null }
    if (word !== null) return { status: word === 'credited' ? INVOICE_STATUS.credited : INVOICE_STATUS.paid, dueMinor: 0 }
    const own = [...payments].filter(({ merchantReference }) => this.#invoicesOf(merchantReference).includes(id))
    if (own.some((payment) => this.#isAmbiguous(payment))) return null
    const keptMinor = own.reduce((all, payment) => all + this.#kept(payment, id), 0)
    return { status: keptMinor >= minor ? INVOICE_STATUS.paid : INVOICE_STATUS.open, dueMinor: minor - keptMinor }
  }

  #invoicesOf(attemptId: string): number[] {
    return (this.#asked.get(attemptId) ?? []).map(({ invoiceId }) => invoiceId)
  }

  #isAmbiguous({ merchantReference, refundedMinor, isReversed }: FakePayment): boolean {
    return isReversed && refundedMinor > 0n && this.#invoicesOf(merchantReference).some((id) => this.#invoices.get(id)?.word !== null)
  }

  /** What a payment keeps of an invoice: a refund takes from the last invoice upwards, a reversal takes the rest. */
  #kept({ merchantReference, state, refundedMinor, isReversed }: FakePayment, id: number): number {
    if ((state !== 'succeeded' && state !== 'voided') || this.#neverKnown.has(merchantReference)) return 0
    let refunded = Number(refundedMinor)
    let keptMinor = 0
    for (const { invoiceId, minor } of (this.#asked.get(merchantReference) ?? []).toReversed()) {
      const refundedHere = Math.min(refunded, minor)
      refunded -= refundedHere
      if (invoiceId === id) keptMinor += isReversed ? refundedHere : minor
    }
    return keptMinor
  }
}
