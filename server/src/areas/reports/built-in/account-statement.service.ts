import { dayOf } from '@counterfoil/contract/kit/day'
import { toDecimalText } from '@counterfoil/contract/kit/money'
import { EXPORT_TYPE } from '@counterfoil/contract/reports'
import { toParties } from '../../../documents/pdf/letterhead.ts'
import type { StatementAccount, StatementDocument } from '../../../documents/report-document.ts'
import { readCurrencies, readBilledInvoices } from './billed-invoices.service.ts'
import { type BilledInvoice, debtBefore, statementHead, type StatementHead } from './billed-invoices.queries.ts'
import { isCreditNote, statusLabel } from './billed-invoices.rules.ts'
import { type BuiltInReport, CONTENT_TYPES, reportFileName, type ReportContext, ReportFailure } from './built-in-report.service.ts'

const MAX_INVOICES = 5_000

export const accountStatement: BuiltInReport = {
  id: 5,
  name: 'Account Statement',
  description: 'What was due before, what was billed, and what is due now.',
  exportTypeId: EXPORT_TYPE.pdf,
  parameters: [{ name: 'DateRange', required: true }],
  generate: async (context) => ({
    fileName: reportFileName(['Account_Statement'], context.parameters, 'pdf'),
    contentType: CONTENT_TYPES.pdf,
    chunks: [await context.renderer.report(await toStatement(context))],
  }),
}

/**
 * The content of the statement's PDF: what was due before the days, the invoices issued in them, and what is due now.
 * @throws ReportFailure without days or customer, or with too many invoices
 */
const toStatement = async (context: ReportContext): Promise<StatementDocument> => {
  const { transact, scope, parameters, now } = context
  const { days } = parameters
  const head = await transact((db) => statementHead(db, scope), { pool: 'background' })
  if (days === null || head === undefined) throw new ReportFailure('gone', 'there is no customer, or there are no days')
  const openingBalance = await transact((db) => debtBefore(db, scope, days.from), { pool: 'background' })
  const billedCurrencies = await readCurrencies(context, MAX_INVOICES)
  const invoices: BilledInvoice[] = []
  for await (const invoice of readBilledInvoices(context)) invoices.push(invoice)
  const currencies = new Set([head.currency, ...openingBalance.map(({ currency }) => currency), ...billedCurrencies])
  return {
    kind: 'statement',
    title: 'Account Statement',
    from: days.from,
    to: days.to,
    createdOn: dayOf(now),
    ...toParties(head),
    invoiceLabel: head.invoiceLabel,
    invoiceLabelPlural: head.invoiceLabelPlural,
    accounts: [...currencies].map((currency) => toAccount(context, head, currency, openingBalance, invoices)),
    language: 'en',
  }
}

/** The account in one currency: opening balance + due of these invoices = due; beside it the credit of credit notes. */
const toAccount = (
  { now }: ReportContext,
  head: StatementHead,
  currency: string,
  openings: readonly { currency: string; dueMinor: number; creditMinor: number }[],
  allInvoices: readonly BilledInvoice[],
): StatementAccount => {
  const invoices = allInvoices.filter((invoice) => invoice.currency === currency)
  const sum = (amountOf: (invoice: BilledInvoice) => number): bigint =>
    invoices.reduce((total, invoice) => total + BigInt(amountOf(invoice)), 0n)
  const text = (minor: bigint): string => toDecimalText({ minor, currency })
  const before = openings.find((one) => one.currency === currency)
  const openingBalance = BigInt(before?.dueMinor ?? 0)
  const credit = BigInt(before?.creditMinor ?? 0) + sum(({ creditMinor }) => creditMinor)
  const due = sum(({ dueMinor }) => dueMinor)
  return {
    currency,
    currencySymbol: currency === head.currency ? head.currencySymbol : currency,
    opening: text(openingBalance),
    invoices: invoices.map((invoice) => ({
      number: invoice.number,
      issuedOn: invoice.issuedOn,
      dueOn: isCreditNote(invoice) ? null : invoice.dueOn,
      status: statusLabel(invoice, dayOf(now)),
      amount: text(BigInt(invoice.amountMinor)),
      due: text(BigInt(invoice.dueMinor)),
    })),
    invoicedTotal: text(sum(({ amountMinor }) => amountMinor)),
    periodDue: text(due),
    due: text(openingBalance + due),
    credit: credit === 0n ? null : text(credit),
  }
}
