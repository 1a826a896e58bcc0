import { expect, test } from 'vitest'
import { feeFor, splitLines } from './fee-lines.ts'

const line = (invoiceNumber: string, invoiceAmount: number) => ({ invoiceNumber, invoiceAmount })
const INVOICES = [line('AV-1', 10.1), line('AV-2', 20.2)]
const FEES = [line('CREDIT_CARD_FEE', 1.01), line('DIRECT_DEBIT_FEE', 0.3)]
const fee = (kind: 'card' | 'bank', amount: number, total: number) => ({ kind, amount, percent: 1, fixed: 0, total })
const intent = { invoices: [...INVOICES, ...FEES], fees: [fee('card', 1.01, 36.31), fee('bank', 0.3, 35.6)] }

test('[BP-01] fee lines are separated from the invoices', () => {
  expect(splitLines(intent)).toEqual({ invoices: INVOICES, fees: FEES })
})

test('[BP-01] [EASE-02] the fee and the total are those of the chosen method, or of the first fee line', () => {
  expect(feeFor(intent, 'card')).toMatchObject({ amount: 1.01, total: 36.31 })
  expect(feeFor(intent, 'bank')).toMatchObject({ amount: 0.3, total: 35.6 })
  expect(feeFor(intent, null)).toEqual(feeFor(intent, 'card'))
  expect(feeFor({ ...intent, invoices: [...INVOICES, ...FEES.toReversed()] }, null)).toEqual(feeFor(intent, 'bank'))
})
