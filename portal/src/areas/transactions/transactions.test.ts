import type { Transaction } from '@counterfoil/contract/transactions'
import { expect, test } from 'vitest'
import { transactionSearch } from './transaction-search.ts'
import { priceTexts, transactionSums } from './transaction-sums.tsx'

const transaction: Transaction = {
  id: 1,
  productLabel: 'Fleet Data',
  productName: 'NMB-4G',
  serviceName: '4G Data',
  serviceItem: '0491 570 156',
  siteLabel: 'Zürich Süd',
  invoiceNumber: 'INV-1',
  dateFrom: '2026-10-01',
  dateTo: '2026-10-31',
  price: 29,
  currency: 'USD',
  quantity: 1,
  extraField1: 'PO-1',
  extraField2: null,
  extraField3: null,
  extraField4: null,
  extraField5: null,
}
const withoutDetails: Transaction = {
  ...transaction,
  id: 2,
  productLabel: 'Router',
  serviceName: null,
  serviceItem: null,
  siteLabel: null,
  invoiceNumber: null,
}

const symbolOf = (currency: string): string => (currency === 'USD' ? '$' : currency)

test.each<[string, number[]]>([
  ['', [1, 2]],
  ['  ', [1, 2]],
  ['nmb-4g', [1, 2]],
  ['FLEET data nmb', [1]],
  ['4g d', [1]],
  ['570 15', [1]],
  ['ZÜRICH', [1]],
  [' inv-1 ', [1]],
  ['po-1', []],
  ['null', []],
  // The end of one field and the beginning of the next.
  ['156 zürich', []],
])('[EASE-06] the search for "%s" finds the transactions %j', (text, ids) => {
  expect(transactionSearch([transaction, withoutDetails])(text).map(({ id }) => id)).toEqual(ids)
})

test('[EASE-06] the sum of prices is exact, rounded once at the end, and right beyond what floating point adds', () => {
  const prices = (...all: number[]): string =>
    priceTexts(
      all.map((price) => ({ currency: 'USD', price })),
      symbolOf,
    ).join(' ')
  expect(prices(0.1, 0.2, 0.3)).toMatch(/^\$0[.,]60$/)
  expect(prices(0.004, 0.004, 0.004)).toMatch(/^\$0[.,]01$/)
  expect(prices(...Array.from({ length: 1_000 }, () => 1.005))).toMatch(/^\$1.005[.,]00$/)
  expect(prices(1e-7, 9_999_999.99, -0.01)).toMatch(/^\$9.999.999[.,]98$/)
  expect(prices(0.005, -0.01)).toMatch(/^-\$0[.,]01$/)
})

test('[EASE-06] prices of different currencies are never added together', () => {
  const rows = [
    { currency: 'USD', price: 1 },
    { currency: 'EUR', price: 2.5 },
    { currency: 'USD', price: 3 },
  ]
  expect(priceTexts(rows, symbolOf)).toEqual([expect.stringMatching(/^\$4[.,]00$/), expect.stringMatching(/^EUR\u00a02[.,]50$/)])
  expect(priceTexts([], symbolOf)).toEqual([])
})

test('[EASE-06] quantities are summed where all are of one product', () => {
  const more = { ...transaction, quantity: 0.2 }
  expect(transactionSums([transaction, more], symbolOf)).toMatchObject({
    label: 'Sum of 2 transactions',
    cells: { quantity: expect.stringMatching(/^1[.,]2$/) },
  })
  expect(transactionSums([transaction, withoutDetails], symbolOf).cells).not.toHaveProperty('quantity')
  expect(transactionSums([transaction], symbolOf).label).toBe('Sum of 1 transaction')
})
