import { dayOf } from '@counterfoil/contract/kit/day'
import { toDecimalText } from '@counterfoil/contract/kit/money'
import { EXPORT_TYPE } from '@counterfoil/contract/reports'
import { partiesOf } from '../../documents/pdf/letterhead.ts'
import type { StatementAccount, StatementDocument } from '../../documents/report-document.ts'
import { currenciesOf, invoicesInTurn } from './billed-invoices.service.ts'
import { type BilledInvoice, dueBefore, letterhead, type Letterhead } from './billed-invoices.queries.ts'
import { stateOf } from './billed-invoices.rules.ts'
import { type BuiltInReport, CONTENT_TYPES, ReportImpossible, reportFileName, type ReportWork } from './built-in-report.service.ts'

const MOST_INVOICES = 5_000

export const accountStatement: BuiltInReport = {
  id: 5,
  name: 'Account Statement',
  exportTypeId: EXPORT_TYPE.pdf,
  parameters: [{ name: 'DateRange', required: true }],
  make: async (work) => ({
    fileName: reportFileName(['Account_Statement'], work.given, 'pdf'),
    contentType: CONTENT_TYPES.pdf,
    pieces: [await work.renderer.report(await statementOf(work))],
  }),
}

const statementOf = async (work: ReportWork): Promise<StatementDocument> => {
  const { transact, scope, given, now } = work
  const { days } = given
  const head = await transact((db) => letterhead(db, scope), 'background')
  if (days === null || head === undefined) throw new ReportImpossible('there is no customer, or there are no days')
  const opening = await transact((db) => dueBefore(db, scope, days.from), 'background')
  const billed = await currenciesOf(work, MOST_INVOICES)
  const invoices: BilledInvoice[] = []
  for await (const invoice of invoicesInTurn(work)) invoices.push(invoice)
  const currencies = new Set([head.currency, ...opening.map(({ currency }) => currency), ...billed])
  return {
    kind: 'statement',
    title: 'Account Statement',
    from: days.from,
    to: days.to,
    madeOn: dayOf(now),
    ...partiesOf(head),
    invoiceLabel: head.invoiceLabel,
    invoiceLabelPlural: head.invoiceLabelPlural,
    accounts: [...currencies].map((currency) => accountOf(work, head, currency, opening, invoices)),
    language: 'en',
  }
}

/** What was owed, billed and is due in one currency: opening + due of these invoices = due. */
const accountOf = (
  { now }: ReportWork,
  head: Letterhead,
  currency: string,
  openings: readonly { currency: string; dueMinor: number }[],
  everything: readonly BilledInvoice[],
): StatementAccount => {
  const invoices = everything.filter((invoice) => invoice.currency === currency)
  const sum = (of: (invoice: BilledInvoice) => number): bigint => invoices.reduce((total, invoice) => total + BigInt(of(invoice)), 0n)
  const text = (minor: bigint): string => toDecimalText({ minor, currency })
  const opening = BigInt(openings.find((one) => one.currency === currency)?.dueMinor ?? 0)
  const due = sum(({ dueMinor }) => dueMinor)
  return {
    currency,
    currencySymbol: currency === head.currency ? head.currencySymbol : currency,
    opening: text(opening),
    invoices: invoices.map((invoice) => ({
      number: invoice.number,
      issuedOn: invoice.issuedOn,
      dueOn: invoice.dueOn,
      status: stateOf(invoice, dayOf(now)),
      amount: text(BigInt(invoice.amountMinor)),
      due: text(BigInt(invoice.dueMinor)),
    })),
    invoiced: text(sum(({ amountMinor }) => amountMinor)),
    dueOfThese: text(due),
    due: text(opening + due),
  }
}
