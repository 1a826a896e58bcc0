import { expect, test } from 'vitest'
import type { Account } from './account.tsx'
import { invoiceLabels } from './invoice-labels.ts'

test.each([
  ['', 'Invoice'],
  [' ', 'Invoice'],
  ['Rechnung', 'Rechnung'],
])('[INV-01] invoices of a reseller that calls one %j are headed by %s', (singular, shown) => {
  const settings = { invoiceLabel: { singular, plural: singular } } as Account['settings']
  expect(invoiceLabels(settings)).toEqual({ singular: shown, plural: shown === 'Invoice' ? 'Invoices' : shown })
})
