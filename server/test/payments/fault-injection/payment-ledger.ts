import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { CompanyOrder } from './fake-provider.ts'

/** What an order is for: so much of each invoice, in their order. */
export interface Asked {
  readonly invoiceId: number
  readonly minor: number
}

export interface Expected {
  readonly status: number
  readonly dueMinor: number
}

/**
 * What is to become of invoices, told from the company's books alone: what arrived lessens what is due, what the bank took back raises it,
 * what the reseller gave back does not, and of a credited one nothing is due whatever happens.
 */
export class PaymentLedger {
  readonly #invoices = new Map<number, { minor: number; isCredited: boolean }>()
  readonly #asked = new Map<string, readonly Asked[]>()

  get ids(): number[] {
    return [...this.#invoices.keys()]
  }

  issue(id: number, minor: number): void {
    this.#invoices.set(id, { minor, isCredited: false })
  }

  credit(id: number): void {
    const invoice = this.#invoices.get(id)
    if (invoice !== undefined) invoice.isCredited = true
  }

  ask(attemptId: string, asked: readonly Asked[]): void {
    this.#asked.set(attemptId, asked)
  }

  expected(id: number, orders: Iterable<CompanyOrder>): Expected {
    const { minor, isCredited } = this.#invoices.get(id) ?? { minor: 0, isCredited: false }
    if (isCredited) return { status: INVOICE_STATUS.credited, dueMinor: 0 }
    const kept = [...orders].reduce((all, order) => all + this.#kept(order, id), 0)
    return { status: kept >= minor ? INVOICE_STATUS.paid : INVOICE_STATUS.open, dueMinor: minor - kept }
  }

  /** What an order has paid of an invoice for good: a refund takes from the last invoice upwards, a return takes all the rest. */
  #kept({ attemptId, state, refundedMinor, isTakenBack }: CompanyOrder, id: number): number {
    if (state !== 'paid') return 0
    let refunded = Number(refundedMinor)
    let kept = 0
    for (const { invoiceId, minor } of (this.#asked.get(attemptId) ?? []).toReversed()) {
      const back = Math.min(refunded, minor)
      refunded -= back
      if (invoiceId === id) kept += isTakenBack ? back : minor
    }
    return kept
  }
}
