import { expect, test } from 'vitest'
import { payableIds } from './payable-ids.ts'

const INVOICES = [
  { id: 1, canPay: true, paid: false },
  { id: 2, canPay: false, paid: true },
  { id: 3, canPay: true, paid: false },
  { id: 4, canPay: false, paid: false },
  { id: 5, canPay: true, paid: true },
]
const idSet = (...ids: number[]): Set<string> => new Set(ids.map(String))

test('[INV-03] of what is chosen only the payable unpaid invoices are sent', () => {
  expect(payableIds(INVOICES, idSet(1, 2, 3, 4, 5))).toEqual([1, 3])
  expect(payableIds(INVOICES, idSet(3, 99))).toEqual([3])
})

test('[INV-02] where nothing that is chosen can be paid there is nothing to send', () => {
  expect(payableIds(INVOICES, idSet(2, 4, 5))).toEqual([])
  expect(payableIds(INVOICES, idSet())).toEqual([])
})
