import { divideRounded } from '@counterfoil/contract/kit/decimal'
import { addDays, type Day, firstOfMonth } from '@counterfoil/contract/kit/day'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { Account } from './account.ts'
import { EARLIER_MONTHS, PERIODS } from './calendar.ts'
import { type Charge, earlierCharges, monthlyCharges, type OneOffBill, oneOffBills } from './charges.ts'
import { sumOf } from './exact-arithmetic.ts'

/** An invoice with its sums: net is the sum of the charges, amount is net plus taxes. */
export interface Bill {
  readonly id: number
  readonly number: string
  /** Null for an invoice from before the thirteen months that the demo data has in full. */
  readonly periodIndex: number | null
  readonly issuedOn: Day
  readonly dueOn: Day
  readonly status: 1 | 7 | 9 | 11
  readonly charges: readonly Charge[]
  readonly netMinor: number
  readonly taxes: readonly { readonly name: string; readonly rateMilli: number; readonly amountMinor: number }[]
  readonly amountMinor: number
  readonly dueMinor: number
}

type Draft = Pick<Bill, 'periodIndex' | 'issuedOn' | 'dueOn' | 'status' | 'charges'>

/** A customer's invoices, oldest first: one for each earlier and each closed month, and one of each one-off kind. */
export const billsOf = (account: Account): Bill[] =>
  [...earlierDrafts(account), ...monthlyDrafts(account), ...oneOffBills(account).map((bill) => oneOffDraft(account, bill))]
    .toSorted((one, other) => one.issuedOn.localeCompare(other.issuedOn))
    .map((draft, index) => createBill(account, draft, index + 1))

/** The invoices, all paid, of the months before the first period. */
const earlierDrafts = (account: Account): Draft[] =>
  Array.from({ length: EARLIER_MONTHS }, (_, index) => {
    const startsOn = firstOfMonth(account.today, 1 - PERIODS - EARLIER_MONTHS + index)
    const issuedOn = firstOfMonth(startsOn, 1)
    return {
      periodIndex: null,
      issuedOn,
      dueOn: addDays(issuedOn, account.reseller.termDays),
      status: INVOICE_STATUS.paid,
      charges: earlierCharges(account, startsOn),
    }
  })

/** A month is billed on the first of the next. Last month's invoice is open until its due day; the one before is overdue. */
const monthlyDrafts = (account: Account): Draft[] =>
  account.periods.slice(0, PERIODS - 1).map((period) => {
    const issuedOn = addDays(period.endsOn, 1)
    const dueOn = addDays(issuedOn, account.reseller.termDays)
    const isOverdue = period.index === PERIODS - 3
    const isNotYetDue = period.index === PERIODS - 2 && dueOn >= account.today
    return {
      periodIndex: period.index,
      issuedOn,
      dueOn,
      status: isOverdue || isNotYetDue ? INVOICE_STATUS.open : INVOICE_STATUS.paid,
      charges: monthlyCharges(account, period),
    }
  })

/** The invoice of a one-off charge, without its number, taxes and sums. */
const oneOffDraft = (account: Account, { shows, issuedOn, periodIndex, charges }: OneOffBill): Draft => ({
  periodIndex,
  issuedOn,
  dueOn: addDays(issuedOn, account.reseller.termDays),
  status: statusOf(shows, account.reseller.payment.takesDebits),
  charges,
})

/** The stored status of a one-off invoice. One that shows a collection is paid where the reseller takes no debits. */
const statusOf = (shows: OneOffBill['shows'], takesDebits: boolean): Draft['status'] => {
  if (shows === 'open') return INVOICE_STATUS.open
  if (shows === 'credited') return INVOICE_STATUS.credited
  if (shows === 'collection' && takesDebits) return INVOICE_STATUS.inCollection
  return INVOICE_STATUS.paid
}

/** The whole invoice of a draft: with id, number, taxes and sums. `nth` counts the customer's invoices from 1. */
const createBill = (account: Account, draft: Draft, nth: number): Bill => {
  const netMinor = sumOf(draft.charges.map(({ amountMinor }) => amountMinor))
  const taxes = account.taxes.map(({ name, rateMilli }) => ({
    name,
    rateMilli,
    amountMinor: Number(divideRounded(BigInt(netMinor * rateMilli), 100_000n)),
  }))
  const amountMinor = netMinor + sumOf(taxes.map((tax) => tax.amountMinor))
  const isOwed = draft.status === INVOICE_STATUS.open || draft.status === INVOICE_STATUS.inCollection
  return {
    ...draft,
    id: account.id * 100 + nth,
    number: `${account.reseller.invoicePrefix}-${account.id}-${String(nth).padStart(3, '0')}`,
    netMinor,
    taxes,
    amountMinor,
    dueMinor: isOwed ? amountMinor : 0,
  }
}
