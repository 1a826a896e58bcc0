import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { FakePayment } from './fake-provider.ts'

/** What an order is for: so much of each invoice, in their order. */
export interface RequestedAmount {
  readonly invoiceId: number
  readonly minor: number
}

export interface ExpectedInvoice {
  readonly status: number
  readonly dueMinor: number
}

/**
 * What is to become of invoices, told from the company's books alone: what arrived lessens what is due, what the bank took back raises it,
 * what the reseller gave back does not, and of a credited one nothing is due whatever happens.
 */
export class PaymentLedger {
  readonly #invoices = new Map<number, { minor: number; isCredited: boolean }>()
  readonly #asked = new Map<string, readonly RequestedAmount[]>()

  get ids(): number[] {
    return [...this.#invoices.keys()]
  }

  addInvoice(id: number, minor: number): void {
    this.#invoices.set(id, { minor, isCredited: false })
  }

  creditInvoice(id: number): void {
    const invoice = this.#invoices.get(id)
    if (invoice !== undefined) invoice.isCredited = true
  }

  request(attemptId: string, requested: readonly RequestedAmount[]): void {
    this.#asked.set(attemptId, requested)
  }

  expected(id: number, payments: Iterable<FakePayment>): ExpectedInvoice {
    const { minor, isCredited } = this.#invoices.get(id) ?? { minor: 0, isCredited: false }
    if (isCredited) return { status: INVOICE_STATUS.credited, dueMinor: 0 }
    const keptMinor = [...payments].reduce((all, payment) => all + this.#kept(payment, id), 0)
    return { status: keptMinor >= minor ? INVOICE_STATUS.paid : INVOICE_STATUS.open, dueMinor: minor - keptMinor }
  }

  /** What an order has paid of an invoice for good: a refund takes from the last invoice upwards, a return takes all the rest. */
  #kept({ attemptId, state, refundedMinor, isReversed: isTakenBack }: FakePayment, id: number): number {
    if (state !== 'succeeded') return 0
    let refunded = Number(refundedMinor)
    let keptMinor = 0
    for (const { invoiceId, minor } of (this.#asked.get(attemptId) ?? []).toReversed()) {
      const refundedHere = Math.min(refunded, minor)
      refunded -= refundedHere
      if (invoiceId === id) keptMinor += isTakenBack ? refundedHere : minor
    }
    return keptMinor
  }
}
