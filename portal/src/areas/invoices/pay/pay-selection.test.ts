import type { Invoice } from '@counterfoil/contract/invoices'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { allDue, leftOutText, obstacleText, selectedPayable } from './pay-selection.ts'

beforeEach(() => void vi.stubGlobal('navigator', { languages: ['en-AU'] }))
afterEach(() => void vi.unstubAllGlobals())

const NOUNS = { singular: 'invoice', plural: 'invoices' }
const invoice = (id: number, changes: Partial<Invoice> = {}): Invoice =>
  ({
    id,
    canPay: true,
    paid: false,
    amount: 10,
    amountDue: 10,
    dateDue: '2026-11-30',
    currency: 'AUD',
    currencySymbol: 'A$',
    ...changes,
  }) as Invoice

const INVOICES = [
  invoice(1),
  invoice(2, { canPay: false, paid: true }),
  invoice(3, { dateDue: '2026-10-31' }),
  invoice(4, { canPay: false }),
  invoice(5, { paid: true }),
  invoice(6, { currency: 'EUR', currencySymbol: 'EUR', amountDue: 2.5 }),
]
const idSet = (...ids: number[]): Set<string> => new Set(ids.map(String))
const ids = (invoices: readonly Invoice[]): number[] => invoices.map(({ id }) => id)

test('[INV-03] of what is chosen only the payable unpaid invoices are sent', () => {
  expect(ids(selectedPayable(INVOICES, idSet(1, 2, 3, 4, 5)))).toEqual([1, 3])
  expect(ids(selectedPayable(INVOICES, idSet(3, 99)))).toEqual([3])
})

test('[INV-02] where nothing that is chosen can be paid there is nothing to send', () => {
  expect(selectedPayable(INVOICES, idSet(2, 4, 5))).toEqual([])
  expect(selectedPayable(INVOICES, idSet())).toEqual([])
})

test('[EASE-04] all due of a currency are its payable invoices, the first due at the front', () => {
  expect([ids(allDue(INVOICES, 'AUD')), ids(allDue(INVOICES, 'EUR')), ids(allDue(INVOICES, 'USD'))]).toEqual([[3, 1], [6], []])
})

test('[EASE-04] invoices of several currencies cannot be paid together, and it says so', () => {
  expect(obstacleText([invoice(1), invoice(3)])).toBe('')
  expect(obstacleText([invoice(1), INVOICES[5] ?? invoice(0)])).toBe(
    'One payment takes one currency. Selected are A$10.00 and EUR\u00a02.50: please pay them one after the other.',
  )
})

test('[EASE-04] one payment takes a thousand invoices: those that are due first, and it says how many stay', () => {
  const many = Array.from({ length: 1_001 }, (_, at) => invoice(at + 1, { dateDue: at === 1_000 ? '2020-01-01' : '2026-11-30' }))
  const chosen = allDue(many, 'AUD')
  expect([chosen.length, chosen[0]?.id, ids(chosen).includes(1_000)]).toEqual([1_000, 1_001, false])
  expect(leftOutText(many.length, chosen.length, NOUNS)).toBe('One payment takes at most 1,000. 1 invoice stays due.')
  expect(leftOutText(1_234, 1_000, NOUNS)).toBe('One payment takes at most 1,000. 234 invoices stay due.')
  expect([leftOutText(1_001, 5, NOUNS), leftOutText(1_000, 1_000, NOUNS)]).toEqual(['', ''])
  expect(obstacleText(many)).toBe('One payment takes at most 1,000. Please take some out.')
})
