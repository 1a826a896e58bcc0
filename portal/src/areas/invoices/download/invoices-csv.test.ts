import type { Invoice } from '@counterfoil/contract/invoices'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dueText, sumsByCurrency } from '../invoice-sums.tsx'
import { invoicesCsv, invoicesFileName } from './invoices-csv.ts'

beforeEach(() => void vi.stubGlobal('navigator', { languages: ['en-AU'] }))
afterEach(() => void vi.unstubAllGlobals())

const invoice = (changes: Partial<Invoice>): Invoice =>
  ({
    number: 'INV-1',
    periodStart: '2026-10-01',
    periodEnd: '2026-10-31',
    dateInvoice: '2026-11-01',
    dateDue: '2026-11-15',
    invoiceStatus: 1,
    isCredited: false,
    paid: false,
    amount: 110,
    amountDue: 110,
    currency: 'AUD',
    currencySymbol: 'A$',
    ...changes,
  }) as Invoice

test('[EASE-05] the list as CSV has exact amounts with their currency’s digits, plain days, and cells that no spreadsheet runs', () => {
  const file = invoicesCsv(
    [
      invoice({ number: '=1+1', amountDue: 0.1 }),
      invoice({
        number: 'Köln, "7"',
        periodStart: null,
        periodEnd: null,
        amount: -1_206.15,
        invoiceStatus: 9,
        isCredited: true,
        amountDue: -1_206.15,
      }),
      invoice({ amount: 90, amountDue: 0, invoiceStatus: 9, isCredited: true }),
      invoice({ currency: 'JPY', amount: 9_999_999_999_999, amountDue: 0, paid: true, invoiceStatus: 11 }),
      invoice({ currency: 'KWD', amount: 1.5, invoiceStatus: 7 }),
    ],
    'Rechnung',
  )
  expect(file).toBe(
    [
      '\uFEFFRechnung,Period from,Period to,Issued,Due,Status,Amount,Amount due,Credit,Currency',
      "'=1+1,2026-10-01,2026-10-31,2026-11-01,2026-11-15,Open,110.00,0.10,0.00,AUD",
      '"Köln, ""7""",,,2026-11-01,,Credit note,-1206.15,0.00,1206.15,AUD',
      'INV-1,2026-10-01,2026-10-31,2026-11-01,2026-11-15,Credited,90.00,0.00,0.00,AUD',
      'INV-1,2026-10-01,2026-10-31,2026-11-01,2026-11-15,Paid,9999999999999,0,0,JPY',
      'INV-1,2026-10-01,2026-10-31,2026-11-01,2026-11-15,Debit on its way,1.500,110.000,0.000,KWD',
      '',
    ].join('\n'),
  )
})

test('[EASE-05] the file is named after what the brand calls invoices, and the year', () => {
  expect([invoicesFileName('Invoices', '', '.csv'), invoicesFileName('Rech/nungen', '2026', '.zip')]).toEqual([
    'Invoices.csv',
    'Rech_nungen_2026.zip',
  ])
})

test('[EASE-06] sums are exact, currencies stay apart, and credit is not taken off what is due', () => {
  const many = Array.from({ length: 1_000 }, () => invoice({ amount: 0.1, amountDue: 1_234_567.89 }))
  const sums = sumsByCurrency([
    ...many,
    invoice({ amount: -20, amountDue: -20 }),
    invoice({ currency: 'KWD', currencySymbol: 'KD', amount: 0.001, amountDue: 2.002 }),
  ])
  expect(sums).toEqual([
    { currency: 'AUD', symbol: 'A$', amount: 80, amountDue: 1_234_567_890, credit: 20 },
    { currency: 'KWD', symbol: 'KD', amount: 0.001, amountDue: 2.002, credit: 0 },
  ])
  expect(sumsByCurrency([])).toEqual([])
  expect(dueText([invoice({}), invoice({ currency: 'EUR', currencySymbol: 'EUR', amountDue: 5 })])).toBe('A$110.00 and EUR\u00a05.00')
})
