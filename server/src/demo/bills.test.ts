import { firstOfMonth } from '@counterfoil/contract/kit/day'
import { expect, test } from 'vitest'
import { accountsOf } from './account.ts'
import { billsOf } from './bills.ts'
import { RESELLERS } from './resellers/resellers.ts'

/** First and last days of months of every length, a leap day, and the turn of a year. */
const DAYS = ['2026-01-01', '2026-02-28', '2026-03-01', '2026-03-31', '2026-05-02', '2026-11-20', '2026-12-31', '2028-02-29', '2028-03-01']

test.each(DAYS)('[OPS-01] on %s every customer of the demo data has invoices in every state', (today) => {
  for (const account of RESELLERS.flatMap((reseller) => accountsOf(reseller, { seed: 1, today, usageRows: 500 }))) {
    const bills = billsOf(account)
    const some = (claim: (bill: (typeof bills)[number]) => boolean): number => bills.filter(claim).length
    expect(some(({ status, dueOn }) => status === 1 && dueOn >= today)).toBeGreaterThanOrEqual(1)
    expect(some(({ status, dueOn }) => status === 1 && dueOn < today)).toBeGreaterThanOrEqual(1)
    expect(some(({ status }) => status === 7)).toBe(account.reseller.payment.takesDebits ? 1 : 0)
    expect(some(({ status, dueMinor }) => status === 9 && dueMinor === 0)).toBe(1)
    expect(some(({ amountMinor }) => amountMinor === 0)).toBe(1)
    expect(some(({ status, amountMinor }) => status === 11 && amountMinor > 0)).toBeGreaterThanOrEqual(9)
  }
})

test.each(DAYS)(
  '[OPS-01] on %s no record, invoice or period of the demo data lies after the month’s end or the day’s first instant',
  (today) => {
    for (const account of RESELLERS.flatMap((reseller) => accountsOf(reseller, { seed: 1, today, usageRows: 500 }))) {
      expect(Math.max(...account.usage.records.seconds)).toBeLessThanOrEqual(Date.parse(`${today}T00:00:00Z`) / 1000)
      for (const { issuedOn, periodIndex } of billsOf(account)) {
        expect(issuedOn <= today).toBe(true)
        expect(periodIndex ?? 0).toBeGreaterThanOrEqual(0)
        expect(periodIndex ?? 0).toBeLessThanOrEqual(12)
      }
    }
  },
)

test('[OPS-01][EASE-08] on any day there is an invoice of some amount in each of the last 25 months, and none before', () => {
  for (const today of DAYS)
    for (const account of RESELLERS.flatMap((reseller) => accountsOf(reseller, { seed: 1, today, usageRows: 500 }))) {
      const bills = billsOf(account)
      const months = new Set(bills.filter(({ amountMinor }) => amountMinor > 0).map(({ issuedOn }) => firstOfMonth(issuedOn)))
      expect([...months]).toEqual(Array.from({ length: 25 }, (_, index) => firstOfMonth(today, index - 24)))
      expect(bills).toHaveLength(30)
    }
})

test('[OPS-01] invoices are numbered in the order of their days', () => {
  for (const account of RESELLERS.flatMap((reseller) => accountsOf(reseller, { seed: 1, today: '2026-11-20', usageRows: 500 }))) {
    const bills = billsOf(account)
    expect(bills.map(({ issuedOn }) => issuedOn)).toEqual(bills.map(({ issuedOn }) => issuedOn).toSorted())
    expect(bills.map(({ number }) => number)).toEqual(bills.map(({ number }) => number).toSorted())
  }
})
