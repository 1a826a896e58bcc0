import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runCount } from '../../../test/payments/fault-injection/fault-context.ts'
import { allocateReturn, applyFailedRefund, applyPayment, applyRefund, applyReversal, type InvoiceBalance } from './allocation.rules.ts'

const minor = fc.integer({ min: 1, max: 20_000 })

/** What happens to an invoice: money of one of three payments, or the billing engine's own word of what is due. */
const event = fc.oneof(
  fc.record({ kind: fc.constantFrom('pay' as const, 'refund' as const, 'reversal' as const), by: fc.nat(2), minor }),
  fc.record({ kind: fc.constantFrom('import' as const), by: fc.constant(0), minor: fc.nat(20_000) }),
)

test('[PAY-01] whatever is paid, refunded, reversed and imported: what is due is never money that is held, and a surplus goes first', () => {
  fc.assert(
    fc.property(minor, fc.array(event, { maxLength: 20 }), (amountMinor, events) => {
      let invoice: InvoiceBalance = {
        id: 1,
        status: INVOICE_STATUS.open,
        amountMinor,
        dueMinor: amountMinor,
        heldMinor: 0,
        overpaidMinor: 0,
      }
      const held = [0, 0, 0]
      for (const { kind, by, minor: wanted } of events) {
        const before = invoice
        if (kind === 'import') {
          invoice = { ...invoice, dueMinor: Math.min(wanted, amountMinor) }
          continue
        }
        const moved = kind === 'pay' ? wanted : Math.min(wanted, held[by] ?? 0)
        const change = { pay: applyPayment, refund: applyRefund, reversal: applyReversal }[kind](invoice, moved)
        const sign = kind === 'pay' ? 1 : -1
        held[by] = (held[by] ?? 0) + sign * moved
        invoice = {
          ...invoice,
          dueMinor: change.dueMinor,
          heldMinor: before.heldMinor + sign * moved,
          overpaidMinor: before.overpaidMinor + change.overpaidChangeMinor,
        }
        expect(invoice.dueMinor).toBeGreaterThanOrEqual(0)
        expect(invoice.overpaidMinor).toBeGreaterThanOrEqual(0)
        expect(invoice.overpaidMinor).toBeLessThanOrEqual(invoice.heldMinor)
        if (kind === 'pay') expect(before.dueMinor - invoice.dueMinor + change.overpaidChangeMinor).toBe(moved)
        if (kind === 'refund') expect(invoice.dueMinor).toBe(before.dueMinor)
        if (kind !== 'pay') expect(-change.overpaidChangeMinor).toBe(Math.min(before.overpaidMinor, moved))
        if (kind === 'reversal') {
          expect(invoice.dueMinor).toBeLessThanOrEqual(Math.max(before.dueMinor, amountMinor - invoice.heldMinor))
          expect(invoice.dueMinor - before.dueMinor).toBeLessThanOrEqual(moved + change.overpaidChangeMinor)
        }
      }
    }),
    { numRuns: runCount(2_000) },
  )
}, 3_600_000)

const lines = [
  { invoiceId: 1, adjustmentId: null, amountMinor: 5_000 },
  { invoiceId: 2, adjustmentId: null, amountMinor: 6_000 },
  { invoiceId: null, adjustmentId: null, amountMinor: 300 },
]

test.each([
  ['the surplus alone', 2_000, [[1, 2_000]]],
  [
    'then the fee, then the last invoice',
    3_000,
    [
      [null, 300],
      [2, 700],
      [1, 2_000],
    ],
  ],
  [
    'all of it',
    11_300,
    [
      [null, 300],
      [2, 6_000],
      [1, 5_000],
    ],
  ],
])('[PAY-01] what comes back of a bulk payment whose first invoice was overpaid: %s', (_, back, expected) => {
  const returned = allocateReturn(lines, back, (id) => (id === 1 ? 2_000 : 0))
  expect(returned.map(({ invoiceId, amountMinor }) => [invoiceId, amountMinor])).toEqual(expected)
})

test('[PAY-01] a refund that failed gives the invoice what it had kept, and the rest is overpaid again', () => {
  const invoice = { id: 1, status: INVOICE_STATUS.paid, amountMinor: 11_000, dueMinor: 0, heldMinor: 0, overpaidMinor: 0 }
  expect(applyFailedRefund(invoice, 11_000, { keptAtFirstMinor: 6_000, keptMinor: 0 }).overpaidChangeMinor).toBe(5_000)
  expect(applyFailedRefund(invoice, 5_000, { keptAtFirstMinor: 6_000, keptMinor: 6_000 }).overpaidChangeMinor).toBe(5_000)
  expect(applyFailedRefund(invoice, 4_000, { keptAtFirstMinor: 6_000, keptMinor: 2_000 }).overpaidChangeMinor).toBe(0)
})

test('[PAY-01] of a credited invoice nothing is due after a reversal, and what a credit note gives gets smaller', () => {
  const credited = { id: 1, status: INVOICE_STATUS.credited, heldMinor: 11_000, overpaidMinor: 0 }
  expect(applyReversal({ ...credited, amountMinor: 11_000, dueMinor: 0 }, 11_000).dueMinor).toBe(0)
  expect(applyReversal({ ...credited, amountMinor: -15_000, dueMinor: -15_000 }, 11_000).dueMinor).toBe(-4_000)
})
