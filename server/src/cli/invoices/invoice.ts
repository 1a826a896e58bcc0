import { type Day, dayOf } from '@counterfoil/contract/kit/day'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { statusOn } from '../../areas/invoices/invoices.rules.ts'
import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { quoteValue } from '../../imports/bad-row.ts'
import { transactAsReseller } from '../../payments/payments-deps.ts'
import { command, OF_RESELLER, textOption } from '../command.ts'
import { printResult, readEachReseller, toDecimal, toPaymentsDeps } from '../payments/command-support.ts'
import { parseId } from '../tenants/fields.rules.ts'
import { printList } from '../tenants/print.ts'
import { findResellerId, requireCustomer } from '../tenants/require-tenant.ts'
import { type InvoiceFilter, type InvoiceRow, listInvoices, listLines, listPaymentsOfInvoice, listTaxes } from './invoice.queries.ts'

const DEFAULT_LIMIT = 1_000

/** The words for the statuses, as `import invoices` takes them. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  [INVOICE_STATUS.open]: 'open',
  [INVOICE_STATUS.overdue]: 'overdue',
  [INVOICE_STATUS.inCollection]: 'in collection',
  [INVOICE_STATUS.credited]: 'credited',
  [INVOICE_STATUS.paid]: 'paid',
}

const STATUS_FILTERS: Readonly<Record<string, Pick<InvoiceFilter, 'status' | 'isOverdue'>>> = {
  open: { status: INVOICE_STATUS.open, isOverdue: false },
  overdue: { status: INVOICE_STATUS.open, isOverdue: true },
  'in-collection': { status: INVOICE_STATUS.inCollection },
  credited: { status: INVOICE_STATUS.credited },
  paid: { status: INVOICE_STATUS.paid },
}

const OF_CUSTOMER = textOption('external id or id', 'of this customer alone')

export const invoiceListCommand = command({
  name: 'invoice list',
  about: 'list invoices, newest first',
  options: {
    customer: OF_CUSTOMER,
    number: textOption('number', 'with this number'),
    externalId: textOption('id', 'with this id of the billing engine'),
    status: textOption('status', Object.keys(STATUS_FILTERS).join(', ')),
    limit: textOption('number', `how many at most (${DEFAULT_LIMIT})`),
    reseller: OF_RESELLER,
  },
  run: async (context, io, _, options) => {
    const limit = parseId('limit', options.limit ?? String(DEFAULT_LIMIT))
    const { number, externalId, status } = options
    const byStatus = status === undefined ? {} : STATUS_FILTERS[status.trim()]
    if (byStatus === undefined)
      throw new OperatorError(`--status: ${quoteValue(status ?? '')} is none of ${Object.keys(STATUS_FILTERS).join(', ')}.`)
    const invoices = await findInvoices(context, options, {
      ...byStatus,
      ...(number === undefined ? {} : { number: number.trim() }),
      ...(externalId === undefined ? {} : { externalId: externalId.trim() }),
      limit,
    })
    return printList(
      io,
      'invoices',
      invoices.slice(0, limit).map((invoice) => toShownInvoice(invoice, dayOf(context.clock()))),
      ['generatedAt', 'corrects', 'agreement', 'period'],
    )
  },
})

export const invoiceShowCommand = command({
  name: 'invoice show',
  about: 'show an invoice with its lines, taxes and payments, by its external id, number or id',
  arguments: { invoice: 'text' },
  options: { customer: OF_CUSTOMER, reseller: OF_RESELLER },
  run: async (context, io, { invoice: ref }, options) => {
    const found = await requireInvoice(context, ref.trim(), options)
    const shown = toShownInvoice(found, dayOf(context.clock()))
    const details = await transactAsReseller(toPaymentsDeps(context), found.resellerId, async (db) => {
      const withAmount = <Row extends { amountMinor: number }>({ amountMinor, ...row }: Row) => ({
        ...row,
        amount: toDecimal(amountMinor, found.currency),
      })
      return {
        lines: (await listLines(db, found)).map(withAmount),
        taxes: (await listTaxes(db, found)).map(withAmount),
        payments: (await listPaymentsOfInvoice(db, found)).map(withAmount),
      }
    })
    return printResult(io, { invoice: shown, ...details }, () => formatInvoice(shown, details))
  },
})

interface Scope {
  readonly customer: string | undefined
  readonly reseller: string | undefined
}

type FoundInvoice = InvoiceRow & { readonly resellerId: number }

/**
 * The invoices of a filter, newest first, of the reseller or customer that the options name, else of all. The limit is for each reseller.
 */
const findInvoices = async (
  context: AppContext,
  { customer, reseller }: Scope,
  filter: Omit<InvoiceFilter, 'today'>,
): Promise<FoundInvoice[]> => {
  const of = await context.store.transact({ role: 'counterfoil_system' }, async (db) =>
    customer === undefined ? undefined : requireCustomer(db, customer, await findResellerId(db, reseller)),
  )
  const complete = { ...filter, today: dayOf(context.clock()), ...(of === undefined ? {} : { customerId: of.id }) }
  const rows = await readEachReseller(context, { reseller: of === undefined ? reseller : String(of.resellerId) }, (db) =>
    listInvoices(db, complete),
  )
  return rows.toSorted((one, other) => other.issuedOn.localeCompare(one.issuedOn) || other.id - one.id)
}

const MAX_NAMED = 20

/**
 * Looks for an invoice by external id, then by number, then by id.
 * @throws OperatorError when none is found, or several customers have one
 */
const requireInvoice = async (context: AppContext, ref: string, scope: Scope): Promise<FoundInvoice> => {
  const limit = MAX_NAMED
  const filters: Omit<InvoiceFilter, 'today'>[] = [
    { externalId: ref, limit },
    { number: ref, limit },
    ...(/^[1-9]\d{0,14}$/.test(ref) ? [{ id: Number(ref), limit }] : []),
  ]
  for (const filter of filters) {
    const [invoice, ...others] = await findInvoices(context, scope, filter)
    if (invoice === undefined) continue
    if (others.length === 0) return invoice
    const customers = [invoice, ...others].map(({ customerId }) => customerId).join(', ')
    throw new OperatorError(`Several customers have an invoice ${quoteValue(ref)}; name one with --customer: ${customers}.`)
  }
  throw new OperatorError(`There is no invoice ${quoteValue(ref)}. It is named by its external id, its number or its id.`)
}

/** The fields of an invoice that commands print: amounts as decimal text, and the status as a word, with overdue as of today. */
const toShownInvoice = (row: FoundInvoice, today: Day) => ({
  id: row.id,
  number: row.number,
  externalId: row.externalId,
  status: STATUS_NAMES[statusOn(today, row)] ?? '',
  currency: row.currency,
  amount: toDecimal(row.amountMinor, row.currency),
  due: toDecimal(row.amountDueMinor, row.currency),
  credit: toDecimal(row.creditMinor, row.currency),
  issuedOn: row.issuedOn,
  dueOn: row.dueOn,
  customer: row.customerId,
  customerExternalId: row.customerExternalId,
  reseller: row.resellerId,
  generatedAt: row.generatedAt,
  corrects: row.corrects,
  agreement: row.agreement,
  period: row.period,
})

interface InvoiceDetails {
  readonly lines: readonly { service: string; description: string; amount: string }[]
  readonly taxes: readonly { name: string; ratePercent: string | null; amount: string }[]
  readonly payments: readonly { id: string; status: string; amount: string; createdAt: Date }[]
}

/** The words about what is due of an invoice and when; of a credit note, about the credit that it still gives. */
const toDebtText = ({ amount, due, dueOn, credit }: ReturnType<typeof toShownInvoice>): string =>
  amount.startsWith('-') ? `a credit note, credit ${credit}` : `due ${due} on ${dueOn}`

/** The lines about an invoice, its charges, taxes and payments for a terminal. */
const formatInvoice = (invoice: ReturnType<typeof toShownInvoice>, { lines, taxes, payments }: InvoiceDetails): string[] => [
  `${invoice.number}  ${invoice.status}  ${invoice.amount} ${invoice.currency}, ${toDebtText(invoice)}`,
  `  id ${invoice.id}, external id ${invoice.externalId ?? '-'}, issued on ${invoice.issuedOn}`,
  `  reseller ${invoice.reseller}, customer ${invoice.customer} (${invoice.customerExternalId ?? 'no external id'})`,
  ...lines.map(({ service, description, amount }) => `  ${amount}  ${service}: ${description}`),
  ...taxes.map(({ name, ratePercent, amount }) => `  ${amount}  ${name}${ratePercent === null ? '' : ` ${ratePercent} %`}`),
  ...payments.map(({ id, status, amount, createdAt }) => `  payment ${id}  ${status}  ${amount}  ${createdAt.toISOString()}`),
]
