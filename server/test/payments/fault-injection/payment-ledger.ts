import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { FakePayment } from './fake-provider.ts'

/** How much of an invoice a payment is for. */
export interface RequestedAmount {
  readonly invoiceId: number
  readonly minor: number
}

export interface ExpectedInvoice {
  readonly status: number
  readonly dueMinor: number
}

/**
 * The expected invoices, computed from the provider's ledger alone: a charge reduces what is due, a reversal raises it, a refund does not,
 * and a credited invoice is never due.
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

  /** What a payment keeps of an invoice: a refund takes from the last invoice upwards, a reversal takes the rest. */
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
