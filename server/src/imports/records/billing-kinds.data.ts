import { sql } from 'kysely'
import { BadRow, shown } from '../bad-row.ts'
import { type ImportKind, type ImportRef, said } from './kind.rules.ts'
import { ofCurrency, ofDay, ofDecimal, ofId, ofInstant, ofList, ofMoney, ofName, ofNumber, ofText, ofWord } from './readings.rules.ts'

const ref = (name: ImportRef['name'], isNeeded = false): ImportRef => ({ name, column: `${name}_id`, isNeeded })
const OF_CUSTOMER = ref('customer', true)

const inOrder =
  (first: string, last: string): NonNullable<ImportKind['whole']> =>
  (value) => {
    const [from, to] = [value(first), value(last)]
    if (from !== null && to !== null && from > to) throw new BadRow(`${last}: ${shown(to)} is before ${first}`)
  }

const kind = (
  name: string,
  table: string,
  about: string,
  rest: Omit<ImportKind, 'name' | 'table' | 'about' | 'checks'> & Partial<ImportKind>,
): ImportKind => ({
  name,
  table,
  about,
  checks: [],
  ...rest,
})

/** 7, in collection, is not told by a billing engine: it is a debit of ours that is on its way. */
const STATUS = { open: '1', overdue: '1', credited: '9', paid: '11' }

const CUSTOMERS_CURRENCY = sql`(select c.currency from customer c where c.id = r.ids[1])`
const INVOICES_CURRENCY = sql`(select i.currency from invoice i where i.customer_id = r.ids[1] and i.id = r.ids[2])`

const BY_EXTERNAL_ID: ImportKind['key'] = ['customer_id', 'external_id']

/** What a customer is billed. */
export const BILLING_KINDS: readonly ImportKind[] = [
  kind('agreements', 'agreement', 'the contracts of customers', {
    fields: [ofId('externalId', 'external_id', 'needed'), ofName('name', 'name', 'needed')],
    refs: [OF_CUSTOMER],
    key: BY_EXTERNAL_ID,
  }),
  kind('periods', 'billing_period', 'billing periods, from their first to their last day', {
    fields: [
      ofId('externalId', 'external_id', 'needed'),
      ofDay('periodStart', 'starts_on', 'needed'),
      ofDay('periodEnd', 'ends_on', 'needed'),
    ],
    refs: [OF_CUSTOMER, ref('agreement')],
    key: BY_EXTERNAL_ID,
    whole: inOrder('periodStart', 'periodEnd'),
  }),
  kind('service-items', 'service_item', 'the numbers, lines and connections of customers', {
    fields: [
      ofId('externalId', 'external_id', 'needed'),
      ofName('serviceItem', 'service_item', 'needed'),
      ofText('description', 'description', 'optional'),
      ofName('costCentre', 'cost_centre', 'optional'),
      ofName('site', 'site', 'optional'),
    ],
    refs: [OF_CUSTOMER, ref('service', true)],
    key: BY_EXTERNAL_ID,
  }),
  kind('invoices', 'invoice', 'invoices, each with its PDF where there is one (--files)', {
    fields: [
      ofId('externalId', 'external_id', 'needed'),
      ofName('number', 'number', 'needed'),
      ofCurrency('currency', 'currency', 'optional', { fallback: CUSTOMERS_CURRENCY }),
      ofMoney('netAmount', 'net_minor', 'needed'),
      ofMoney('amount', 'amount_minor', 'needed'),
      ofMoney('amountDue', 'amount_due_minor', 'needed'),
      ofDay('dateInvoice', 'issued_on', 'needed'),
      ofDay('dateDue', 'due_on', 'needed'),
      ofInstant('dateGenerated', 'generated_at', 'optional', { fallback: sql`(${said('dateInvoice')} || ' 00:00:00+00')::timestamptz` }),
      ofWord('status', 'status', STATUS, { fallback: sql`1` }),
      ofList('file', '', 'optional'),
    ],
    refs: [OF_CUSTOMER, ref('agreement'), ref('period')],
    key: BY_EXTERNAL_ID,
    currency: sql`coalesce(${said('currency')}, ${CUSTOMERS_CURRENCY})`,
    // The billing engine learns of a payment after us: its file does not open again what is paid or on its way.
    kept: {
      columns: ['status', 'amount_due_minor'],
      when: sql`t.status in (7, 11) and coalesce(${said('status')}, '1') = '1'`,
    },
    checks: [
      {
        field: 'number',
        words: (named) => `number: ${shown(named)} is the number of another invoice of this customer`,
        when: sql`exists (select from invoice t where t.customer_id = r.ids[1] and t.number = ${said('number')}
          and t.external_id is distinct from ${said('externalId')})`,
      },
      {
        field: 'number',
        words: (named) => `number: ${shown(named)} stands in the file for another invoice of this customer too`,
        when: sql`exists (select from record_import_row o where o.import_id = r.import_id and o.line < r.line and o.ids[1] = r.ids[1]
          and (o.v ->> 'number') = ${said('number')} and (o.v ->> 'externalId') <> ${said('externalId')})`,
      },
      {
        field: 'currency',
        words: (named) => `currency: the invoice is there already, in another one than ${shown(named)}`,
        when: sql`exists (select from invoice t where t.customer_id = r.ids[1] and t.external_id = ${said('externalId')} and t.currency <> ${said('currency')})`,
      },
    ],
    whole: (value) => {
      if (value('status') === STATUS.paid && value('amountDue') !== '0') throw new BadRow('amountDue: a paid invoice has nothing due')
      inOrder('dateInvoice', 'dateDue')(value)
    },
  }),
  kind('invoice-lines', 'invoice_line', 'the lines of invoices', {
    fields: [
      ofNumber('lineNo', 'line_no', 'needed'),
      ofName('serviceName', 'service_name', 'needed'),
      ofText('description', 'description', 'needed'),
      ofName('serviceItem', 'service_item', 'optional'),
      ofDay('dateFrom', 'from_on', 'optional'),
      ofDay('dateTo', 'to_on', 'optional'),
      ofDecimal('quantity', 'quantity', 'optional'),
      ofName('unit', 'unit', 'optional'),
      ofDecimal('unitPrice', 'unit_price', 'optional'),
      ofMoney('amount', 'amount_minor', 'needed'),
    ],
    refs: [OF_CUSTOMER, ref('invoice', true)],
    key: ['customer_id', 'invoice_id', 'line_no'],
    currency: INVOICES_CURRENCY,
    whole: inOrder('dateFrom', 'dateTo'),
  }),
  kind('invoice-taxes', 'invoice_tax', 'the taxes of invoices', {
    fields: [
      ofNumber('taxNo', 'tax_no', 'needed'),
      ofName('name', 'name', 'needed'),
      ofDecimal('ratePercent', 'rate_percent', 'needed'),
      ofMoney('base', 'base_minor', 'needed'),
      ofMoney('amount', 'amount_minor', 'needed'),
    ],
    refs: [OF_CUSTOMER, ref('invoice', true)],
    key: ['customer_id', 'invoice_id', 'tax_no'],
    currency: INVOICES_CURRENCY,
  }),
  kind('transactions', 'billing_transaction', 'the priced lines of a period, behind its invoices', {
    fields: [
      ofId('externalId', 'external_id', 'needed'),
      ofText('productLabel', 'product_label', 'needed'),
      ofName('productName', 'product_name', 'needed'),
      ofName('serviceItem', 'service_item', 'optional'),
      ofName('siteLabel', 'site_label', 'optional'),
      ofDay('dateFrom', 'date_from', 'optional'),
      ofDay('dateTo', 'date_to', 'optional'),
      ofDecimal('price', 'price', 'needed'),
      ofDecimal('quantity', 'quantity', 'needed'),
      ...[1, 2, 3, 4, 5].map((n) => ofText(`extraField${n}`, `extra_field${n}`, 'optional')),
    ],
    refs: [OF_CUSTOMER, ref('agreement'), ref('period', true), ref('invoice'), ref('service')],
    key: BY_EXTERNAL_ID,
    whole: inOrder('dateFrom', 'dateTo'),
  }),
  kind('bundles', 'bundle', 'the bundles of customers', {
    fields: [ofId('externalId', 'external_id', 'needed'), ofName('name', 'name', 'needed')],
    refs: [OF_CUSTOMER],
    key: BY_EXTERNAL_ID,
  }),
  kind('bundle-products', 'bundle_product', 'what a bundle includes and what has been used of it', {
    fields: [
      ofNumber('productNo', 'product_no', 'needed'),
      ofName('productName', 'product_name', 'needed'),
      ofName('serviceItem', 'service_item', 'optional', { fallback: sql`''` }),
      ofDecimal('quantity', 'quantity', 'needed'),
      ofName('unitLabel', 'unit_label', 'needed'),
      ofDecimal('consumption', 'consumption', 'needed'),
    ],
    refs: [OF_CUSTOMER, ref('bundle', true)],
    key: ['customer_id', 'bundle_id', 'product_no'],
  }),
  kind('balances', 'opening_balance', 'what customers owed when the current period opened', {
    fields: [ofMoney('balance', 'balance_minor', 'needed'), ofDay('asOf', 'as_of_on', 'needed')],
    refs: [OF_CUSTOMER],
    key: ['customer_id'],
    currency: CUSTOMERS_CURRENCY,
  }),
  kind('data-usage', 'data_usage_day', 'gigabytes a day, for the dashboard’s charts', {
    fields: [ofDay('date', 'used_on', 'needed'), ofDecimal('gigabytes', 'gigabytes', 'needed')],
    refs: [OF_CUSTOMER],
    key: ['customer_id', 'used_on'],
    whole: (value) => {
      if (value('gigabytes')?.startsWith('-') === true) throw new BadRow('gigabytes: it is below nothing')
    },
  }),
]
