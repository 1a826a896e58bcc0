import { expect, test } from 'vitest'
import { feeFor, splitLines, sum, totalOf } from './fee-lines.ts'

const line = (invoiceNumber: string, invoiceAmount: number) => ({ invoiceNumber, invoiceAmount })
const INVOICES = [line('AV-1', 10.1), line('AV-2', 20.2)]
const FEES = [line('CREDIT_CARD_FEE', 1.01), line('DIRECT_DEBIT_FEE', 0.3)]
const intent = { invoices: [...INVOICES, ...FEES], adjustmentsTotal: 5 }

test('[BP-01] fee lines are separated from the invoices', () => {
  expect(splitLines(intent)).toEqual({ invoices: INVOICES, fees: FEES })
})

test('[BP-01] the total is the invoices, the adjustments and the fee line of the chosen method, or the first fee line', () => {
  expect(totalOf(intent, null)).toBe(36.31)
  expect(totalOf(intent, 'card')).toBe(36.31)
  expect(totalOf(intent, 'bank')).toBe(35.6)
  expect(feeFor(intent, 'bank')).toEqual(FEES[1])
  expect(totalOf({ ...intent, invoices: INVOICES }, 'card')).toBe(35.3)
  expect(feeFor({ invoices: [...INVOICES, line('CREDIT_CARD_FEE', 1)] }, 'bank')).toBeUndefined()
})

test('[BP-01] sums are exact despite binary fractions', () => {
  expect(0.1 + 0.2).not.toBe(0.3)
  expect(sum([0.1, 0.2])).toBe(0.3)
  expect(sum([1.005, 2.675, 0.001])).toBe(3.681)
  expect(sum(Array<number>(1_000).fill(0.01))).toBe(10)
  expect(sum([])).toBe(0)
})
