import { expect, test } from 'vitest'
import type { SignedInAccount } from './account.tsx'
import { invoiceLabels } from './invoice-labels.ts'

test.each([
  ['', 'Invoice'],
  [' ', 'Invoice'],
  ['Rechnung', 'Rechnung'],
])('[INV-01] invoices of a reseller that calls one %j are headed by %s', (singular, shown) => {
  const settings = { invoiceLabel: { singular, plural: singular } } as SignedInAccount['settings']
  expect(invoiceLabels(settings)).toEqual({ singular: shown, plural: shown === 'Invoice' ? 'Invoices' : shown })
})
