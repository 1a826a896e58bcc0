import { sql } from 'kysely'
import { BadRow, quoteValue } from '../bad-row.ts'
import { CUSTOMER_CURRENCY, INVOICES } from './invoice-kind.data.ts'
import type { ImportKind, ImportRef } from './kind.rules.ts'
import { dayField, decimalField, idField, moneyField, nameField, numberField, textField } from './field-types.rules.ts'

/** The field that names another record, by its external id or its name. */
const ref = (name: ImportRef['name'], isNeeded = false): ImportRef => ({ name, column: `${name}_id`, isNeeded })
const CUSTOMER_REF = ref('customer', true)

/** The check that a line's second day is not before its first. */
const assertOrder =
  (first: string, last: string): NonNullable<ImportKind['checkRow']> =>
  (value) => {
    const [from, to] = [value(first), value(last)]
    if (from !== null && to !== null && from > to) throw new BadRow(`${last}: ${quoteValue(to)} is before ${first}`)
  }

/** Describes a kind of record that can be imported. `checks` is empty unless `rest` has checks. */
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

const INVOICE_CURRENCY = sql`(select i.currency from invoice i where i.customer_id = r.ids[1] and i.id = r.ids[2])`

const BY_EXTERNAL_ID: ImportKind['key'] = ['customer_id', 'external_id']

/** What customers are billed for. */
export const BILLING_KINDS: readonly ImportKind[] = [
  kind('agreements', 'agreement', 'the contracts of customers', {
    fields: [idField('externalId', 'external_id', 'needed'), nameField('name', 'name', 'needed')],
    refs: [CUSTOMER_REF],
    key: BY_EXTERNAL_ID,
  }),
  kind('periods', 'billing_period', 'billing periods, from their first to their last day', {
    fields: [
      idField('externalId', 'external_id', 'needed'),
      dayField('periodStart', 'starts_on', 'needed'),
      dayField('periodEnd', 'ends_on', 'needed'),
    ],
    refs: [CUSTOMER_REF, ref('agreement')],
    key: BY_EXTERNAL_ID,
    checkRow: assertOrder('periodStart', 'periodEnd'),
  }),
  kind('service-items', 'service_item', 'the numbers, lines and connections of customers', {
    fields: [
      idField('externalId', 'external_id', 'needed'),
      nameField('serviceItem', 'service_item', 'needed'),
      textField('description', 'description', 'optional'),
      nameField('costCentre', 'cost_centre', 'optional'),
      nameField('site', 'site', 'optional'),
    ],
    refs: [CUSTOMER_REF, ref('service', true)],
    key: BY_EXTERNAL_ID,
  }),
  INVOICES,
  kind('invoice-lines', 'invoice_line', 'the lines of invoices', {
    fields: [
      numberField('lineNo', 'line_no', 'needed'),
      nameField('serviceName', 'service_name', 'needed'),
      textField('description', 'description', 'needed'),
      nameField('serviceItem', 'service_item', 'optional'),
      dayField('dateFrom', 'from_on', 'optional'),
      dayField('dateTo', 'to_on', 'optional'),
      decimalField('quantity', 'quantity', 'optional'),
      nameField('unit', 'unit', 'optional'),
      decimalField('unitPrice', 'unit_price', 'optional'),
      moneyField('amount', 'amount_minor', 'needed'),
    ],
    refs: [CUSTOMER_REF, ref('invoice', true)],
    key: ['customer_id', 'invoice_id', 'line_no'],
    currency: INVOICE_CURRENCY,
    checkRow: assertOrder('dateFrom', 'dateTo'),
  }),
  kind('invoice-taxes', 'invoice_tax', 'the taxes of invoices', {
    fields: [
      numberField('taxNo', 'tax_no', 'needed'),
      nameField('name', 'name', 'needed'),
      decimalField('ratePercent', 'rate_percent', 'needed'),
      moneyField('base', 'base_minor', 'needed'),
      moneyField('amount', 'amount_minor', 'needed'),
    ],
    refs: [CUSTOMER_REF, ref('invoice', true)],
    key: ['customer_id', 'invoice_id', 'tax_no'],
    currency: INVOICE_CURRENCY,
  }),
  kind('transactions', 'billing_transaction', 'the priced lines of a period, behind its invoices', {
    fields: [
      idField('externalId', 'external_id', 'needed'),
      textField('productLabel', 'product_label', 'needed'),
      nameField('productName', 'product_name', 'needed'),
      nameField('serviceItem', 'service_item', 'optional'),
      nameField('siteLabel', 'site_label', 'optional'),
      dayField('dateFrom', 'date_from', 'optional'),
      dayField('dateTo', 'date_to', 'optional'),
      decimalField('price', 'price', 'needed'),
      decimalField('quantity', 'quantity', 'needed'),
      ...[1, 2, 3, 4, 5].map((n) => textField(`extraField${n}`, `extra_field${n}`, 'optional')),
    ],
    refs: [CUSTOMER_REF, ref('agreement'), ref('period', true), ref('invoice'), ref('service')],
    key: BY_EXTERNAL_ID,
    checkRow: assertOrder('dateFrom', 'dateTo'),
  }),
  kind('bundles', 'bundle', 'the bundles of customers', {
    fields: [idField('externalId', 'external_id', 'needed'), nameField('name', 'name', 'needed')],
    refs: [CUSTOMER_REF],
    key: BY_EXTERNAL_ID,
  }),
  kind('bundle-products', 'bundle_product', 'what a bundle includes and what has been used of it', {
    fields: [
      numberField('productNo', 'product_no', 'needed'),
      nameField('productName', 'product_name', 'needed'),
      nameField('serviceItem', 'service_item', 'optional', { fallback: sql`''` }),
      decimalField('quantity', 'quantity', 'needed'),
      nameField('unitLabel', 'unit_label', 'needed'),
      decimalField('consumption', 'consumption', 'needed'),
    ],
    refs: [CUSTOMER_REF, ref('bundle', true)],
    key: ['customer_id', 'bundle_id', 'product_no'],
  }),
  kind('balances', 'opening_balance', 'what customers owed when the current period opened', {
    fields: [moneyField('balance', 'balance_minor', 'needed'), dayField('asOf', 'as_of_on', 'needed')],
    refs: [CUSTOMER_REF],
    key: ['customer_id'],
    currency: CUSTOMER_CURRENCY,
  }),
  kind('data-usage', 'data_usage_day', 'gigabytes a day, for the dashboard’s charts', {
    fields: [dayField('date', 'used_on', 'needed'), decimalField('gigabytes', 'gigabytes', 'needed')],
    refs: [CUSTOMER_REF],
    key: ['customer_id', 'used_on'],
    checkRow: (value) => {
      if (value('gigabytes')?.startsWith('-') === true) throw new BadRow('gigabytes: it is below nothing')
    },
  }),
]
