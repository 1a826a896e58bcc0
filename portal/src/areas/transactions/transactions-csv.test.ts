import type { Transaction } from '@counterfoil/contract/transactions'
import { expect, test } from 'vitest'
import { extraFields } from './extra-fields.ts'
import { periodName, transactionsFileName } from './period-names.ts'
import { transactionsCsv } from './transactions-csv.ts'

const transaction: Transaction = {
  id: 1,
  productLabel: 'Fleet Data',
  productName: 'NMB-4G',
  serviceName: '4G Data',
  serviceItem: '0491 570 156',
  siteLabel: 'Fremantle',
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
const transactionWithoutDetails: Transaction = {
  ...transaction,
  serviceName: null,
  serviceItem: null,
  siteLabel: null,
  invoiceNumber: null,
  dateFrom: null,
  dateTo: null,
}

test('[TXN-04] the file has the specified columns, what is missing is empty, and texts that would run are defused', () => {
  const rows = [transaction, { ...transactionWithoutDetails, productLabel: '=1+1', productName: 'Fee, "monthly"\nfor two', price: -0.5 }]
  expect(transactionsCsv(rows, [])).toBe(
    [
      '\uFEFFProduct,Code,Service,Service Item,Site,Invoice,Price,Qty,From,To',
      'Fleet Data,NMB-4G,4G Data,0491 570 156,Fremantle,INV-1,29.00,1,2026-10-01,2026-10-31',
      `'=1+1,"Fee, ""monthly""\nfor two",,,,,-0.50,1,,`,
      '',
    ].join('\n'),
  )
})

test.each([
  [1.005, '1.01'],
  [-1.005, '-1.01'],
  [1.004_999, '1.00'],
  [-0.004, '0.00'],
  [1e-7, '0.00'],
  [1_234_567.895, '1234567.90'],
])('[TXN-04] a price of %d is written as %s', (price, written) => {
  expect(transactionsCsv([{ ...transactionWithoutDetails, price }], [])).toContain(`,${written},1,`)
})

test.each([
  [0.333_333_333_333, '0.333333333333'],
  [1e-7, '0.0000001'],
  [-2.5, '-2.5'],
])('[TXN-04] a quantity of %d is written with all its digits, %s', (quantity, written) => {
  expect(transactionsCsv([{ ...transactionWithoutDetails, quantity }], [])).toContain(`,29.00,${written},,`)
})

const noFlags = {
  endPortalTransactionsExtraTab1: false,
  endPortalTransactionsExtraTab2: false,
  endPortalTransactionsExtraTab3: false,
  endPortalTransactionsExtraTab4: false,
  endPortalTransactionsExtraTab5: false,
} as Parameters<typeof extraFields>[0]
const labels = { extraField1: 'Order', extraField2: 'Contract', extraField3: null, extraField4: '', extraField5: 'Project' }

test('[TXN-03] exactly the extra columns that the brand switches on are there, under the labels of type 3', () => {
  const flags = { ...noFlags, endPortalTransactionsExtraTab2: true, endPortalTransactionsExtraTab3: true }
  const all = [
    { ...labels, extraFieldTypeId: 1, extraField2: 'Not this one' },
    { ...labels, extraFieldTypeId: 3 },
  ]
  expect(extraFields(noFlags, all)).toEqual([])
  expect(extraFields(flags, all)).toEqual([
    { key: 'extraField2', label: 'Contract' },
    { key: 'extraField3', label: 'Extra 3' },
  ])
  expect(extraFields(flags, []).map(({ label }) => label)).toEqual(['Extra 2', 'Extra 3'])
})

test('[TXN-04] extra columns stand at the end of the file, as on the screen', () => {
  expect(transactionsCsv([transaction], [{ key: 'extraField1', label: 'Order No.' }]).split('\n')).toEqual([
    expect.stringMatching(/,From,To,Order No\.$/),
    expect.stringMatching(/,2026-10-01,2026-10-31,PO-1$/),
    '',
  ])
})

test('[TXN-04] the file says the currency of each row where there is more than one', () => {
  const rows = [transaction, { ...transactionWithoutDetails, currency: 'EUR' }]
  expect(transactionsCsv(rows, [{ key: 'extraField1', label: 'Order No.' }]).split('\n')).toEqual([
    expect.stringMatching(/,From,To,Order No\.,Currency$/),
    expect.stringMatching(/,PO-1,USD$/),
    expect.stringMatching(/,EUR$/),
    '',
  ])
})

const october = { id: 1, month: 10, year: 2026, periodStart: '2026-10-01', periodEnd: '2026-10-31', periodLabel: 'October 2026' }
const otherPeriod = { ...october, month: null, year: null, periodStart: '2026-09-16', periodLabel: '2026-09-16 – 2026-10-31' }

test('[TXN-01] a period reads as month and year, or as its first and last day', () => {
  expect(periodName({ ...october, periodLabel: 'as the server writes it' })).toBe('October 2026')
  expect(periodName(otherPeriod)).toMatch(/16.*2026 – .*31.*2026/)
})

test('[TXN-04] the file is called after the month in two digits and the year, or after the first and last day', () => {
  expect(transactionsFileName(october)).toBe('10_2026_Transactions.csv')
  expect(transactionsFileName({ ...october, month: 2 })).toBe('02_2026_Transactions.csv')
  expect(transactionsFileName(otherPeriod)).toBe('2026-09-16_2026-10-31_Transactions.csv')
})
