import fc from 'fast-check'
import { expect, test } from 'vitest'
import { invoiceAdjustments, type InvoiceSums } from './invoice-adjustments.rules.ts'

const adjust = (sums: InvoiceSums, status: Parameters<typeof invoiceAdjustments>[1] = 'open') => invoiceAdjustments(sums, status, String)

test('[INV-05] the lines, taxes and what stands between the sums add up to what is due, whatever a billing engine states', () => {
  const amount = fc.integer({ min: -1_000_000, max: 1_000_000 })
  const sums = fc.record({
    lines: fc.array(amount, { minLength: 1, maxLength: 5 }),
    net: amount,
    taxes: fc.array(amount, { maxLength: 3 }),
    total: amount,
    balance: amount,
  })
  fc.assert(
    fc.property(sums, (invoice) => {
      const { net, tax, due } = adjust(invoice)
      const printed = [...invoice.lines, ...invoice.taxes, ...[net, tax, due].map((one) => Number(one?.amount ?? 0))]
      expect(printed.reduce((sum, one) => sum + one, 0)).toBe(invoice.balance)
    }),
  )
})

test('[INV-05] a difference is called rounding, tax, or what the status of the invoice says', () => {
  expect(adjust({ lines: [100, 200], net: 301, taxes: [], total: 331, balance: 331 })).toEqual({
    net: { name: 'Rounding', amount: '1' },
    tax: { name: 'Tax', amount: '30' },
    due: null,
  })
  expect(adjust({ lines: [100], net: 150, taxes: [10], total: 161, balance: 61 })).toEqual({
    net: { name: 'Other charges', amount: '50' },
    tax: { name: 'Rounding', amount: '1' },
    due: { name: 'Paid or credited so far', amount: '-100' },
  })
  const settled = { lines: [], net: 100, taxes: [], total: 100, balance: 0 }
  expect([adjust(settled, 'paid').due?.name, adjust(settled, 'credited').due?.name]).toEqual(['Paid', 'Credited'])
  expect(adjust({ lines: [-100], net: -100, taxes: [], total: -100, balance: -40 }, 'credit-note').due).toEqual({
    name: 'Set off so far',
    amount: '60',
  })
})
