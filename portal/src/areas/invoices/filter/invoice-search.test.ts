import { afterEach, expect, test, vi } from 'vitest'
import { invoiceSearch } from './invoice-search.ts'

const setLanguage = (language: string): void => void vi.stubGlobal('navigator', { languages: [language] })
afterEach(() => void vi.unstubAllGlobals())

const INVOICES = [
  { number: 'NMB-220401-017', amount: 1_206.15, amountDue: 0 },
  { number: 'NMB-220401-016', amount: 1_206, amountDue: 91.74 },
  { number: 'Rechnung 2026/11 Ä', amount: 12_061.5, amountDue: 12_061.5 },
  { number: 'C-5', amount: -50.1, amountDue: -50.1 },
  { number: 'فاتورة-9', amount: 1.206, amountDue: 1.206 },
]
const numbersFound = (typed: string): string[] => INVOICES.filter(invoiceSearch(typed)).map(({ number }) => number)
const [FIRST, SECOND, THIRD, CREDIT, DINAR] = INVOICES.map(({ number }) => number)

test('[EASE-05] an empty search finds all, and a part of a number finds it, in capitals or not, with or without its punctuation', () => {
  setLanguage('en-AU')
  expect(numbersFound('  ')).toHaveLength(INVOICES.length)
  expect([numbersFound('nmb-220401'), numbersFound('220401 017'), numbersFound('rechnung 2026-11 ä'), numbersFound('فاتورة')]).toEqual([
    [FIRST, SECOND],
    [FIRST],
    [THIRD],
    [DINAR],
  ])
  expect(numbersFound('nothing like it')).toEqual([])
})

test.each(['en-AU', 'de-DE', 'ar-EG', 'fr-FR'])('[EASE-05] under %s an amount is found however its separators are typed', (language) => {
  setLanguage(language)
  for (const typed of [
    '1,206.15',
    '1206.15',
    '1206,15',
    '1.206,15',
    'A$1,206.15',
    '1 206,15 €',
    "1'206.15",
    'CHF 1206.15',
    '١٢٠٦٫١٥',
    '1206.1',
  ])
    expect([typed, numbersFound(typed)]).toEqual([typed, [FIRST]])
})

test('[EASE-05] without decimals every amount of that many whole units is found, and what is due as well', () => {
  setLanguage('en-AU')
  expect([numbersFound('1206'), numbersFound('1,206.00'), numbersFound('91.74'), numbersFound('91.7'), numbersFound('12061.50')]).toEqual([
    [FIRST, SECOND],
    [SECOND],
    [SECOND],
    [SECOND],
    [THIRD],
  ])
})

test('[EASE-05] one comma or point before three digits may be either; the amounts of both meanings are found', () => {
  for (const language of ['en-AU', 'de-DE']) {
    setLanguage(language)
    for (const typed of ['1,206', '1.206'])
      expect([language, typed, numbersFound(typed)]).toEqual([language, typed, [FIRST, SECOND, DINAR]])
  }
})

test('[EASE-05] a credit is found with and without its sign, and Indian groups are read', () => {
  setLanguage('en-IN')
  expect([numbersFound('-50.10'), numbersFound('50.1'), numbersFound('−50.10')]).toEqual([[CREDIT], [CREDIT], [CREDIT]])
  expect([{ number: 'L', amount: 1_23_456.7, amountDue: 0 }].filter(invoiceSearch('1,23,456.70'))).toHaveLength(1)
})

test.each(['1,2,3', '1.2.3,4', '12,06.15', '--5', '5-', 'INV-12', '.', ','])('[EASE-05] "%s" is no amount', (typed) => {
  setLanguage('en-AU')
  const amounts = [1, 2, 3, 5, 12, 123, 1206.15].map((amount) => ({ number: 'X', amount, amountDue: amount }))
  expect(amounts.filter(invoiceSearch(typed))).toEqual([])
})
