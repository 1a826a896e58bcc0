import { type RawBuilder, sql } from 'kysely'

/** Rows of a table that depend on rows `r` of another: `d` are theirs. */
export interface Reference {
  readonly table: string
  /** In the plural, as in "3 invoices depend on it". */
  readonly words: string
  readonly on: RawBuilder<unknown>
  /** Whether the table is one of usage, which may be on other machines than all others. */
  readonly isUsage?: true
}

/** The rows `d` of a table whose columns equal those of `r`, pair by pair. Asks nothing. */
const by = (table: string, words: string, ...columns: readonly (readonly [theirs: string, ours: string])[]): Reference => ({
  table,
  words,
  on: sql.join(
    columns.map(([theirs, ours]) => sql`d.${sql.id(theirs)} = r.${sql.id(ours)}`),
    sql` and `,
  ),
})
/** The rows of a table whose reseller is `r`. */
const ofReseller = (table: string, words: string): Reference => by(table, words, ['reseller_id', 'id'])
/** The rows of a table whose brand is `r`. */
const ofBrand = (table: string, words: string): Reference => by(table, words, ['brand_id', 'id'])
/** The rows of a table whose customer is `r`. */
const ofCustomer = (table: string, words: string): Reference => by(table, words, ['customer_id', 'id'])
/** The rows of a table whose service is `r`. */
const ofService = (table: string, words: string): Reference => by(table, words, ['service_id', 'id'])
/** The rows of a table that name the row `r` of the same customer in this column. */
const inCustomer = (table: string, words: string, column: string): Reference =>
  by(table, words, ['customer_id', 'customer_id'], [column, 'id'])
/** The counters of usage with at least one record, which show usage without a look at the records. */
const usageOf = (table: 'usage_day' | 'usage_month_kind', ...columns: readonly (readonly [string, string])[]): Reference => {
  const counted = by(table, 'days of usage', ...columns)
  return { ...counted, on: sql`${counted.on} and d.records > 0`, isUsage: true }
}

/** What depends on the rows of a table: as long as there is any, they are not removed. What is not named here goes with them. */
export const REFERENCES: Readonly<Record<string, readonly Reference[]>> = {
  reseller: [
    ofReseller('brand', 'brands'),
    ofReseller('customer', 'customers'),
    ofReseller('app_user', 'users'),
    ofReseller('service', 'services'),
    ofReseller('record_type', 'record types'),
  ],
  brand: [ofBrand('customer', 'customers'), ofBrand('app_user', 'users'), ofBrand('sso_organization', 'companies that sign in themselves')],
  customer: [
    ofCustomer('invoice', 'invoices'),
    ofCustomer('payment_attempt', 'payments'),
    ofCustomer('billing_transaction', 'transactions'),
    usageOf('usage_day', ['customer_id', 'id']),
    ofCustomer('agreement', 'agreements'),
    ofCustomer('billing_period', 'billing periods'),
    ofCustomer('service_item', 'service items'),
    ofCustomer('bundle', 'bundles'),
    ofCustomer('opening_balance', 'opening balances'),
    ofCustomer('data_usage_day', 'days of data usage'),
    ofCustomer('payment_method', 'stored payment methods'),
    ofCustomer('payment_adjustment', 'payment adjustments'),
    ofCustomer('user_customer', 'users who act for it'),
  ],
  app_user: [by('user_customer', 'customers that it acts for', ['user_id', 'id'])],
  agreement: [
    inCustomer('invoice', 'invoices', 'agreement_id'),
    inCustomer('billing_transaction', 'transactions', 'agreement_id'),
    inCustomer('billing_period', 'billing periods', 'agreement_id'),
    usageOf('usage_month_kind', ['customer_id', 'customer_id'], ['agreement_id', 'id']),
  ],
  billing_period: [inCustomer('invoice', 'invoices', 'period_id'), inCustomer('billing_transaction', 'transactions', 'period_id')],
  service: [
    ofService('record_type', 'record types'),
    ofService('service_item', 'service items'),
    ofService('billing_transaction', 'transactions'),
    usageOf('usage_month_kind', ['service_id', 'id']),
  ],
  record_type: [usageOf('usage_month_kind', ['record_type_id', 'id'])],
  service_item: [{ ...inCustomer('usage_record', 'usage records', 'service_item_id'), isUsage: true }],
  invoice: [
    inCustomer('payment_attempt_item', 'payments', 'invoice_id'),
    inCustomer('billing_transaction', 'transactions', 'invoice_id'),
    inCustomer('invoice_line', 'lines', 'invoice_id'),
    inCustomer('invoice_tax', 'taxes', 'invoice_id'),
    inCustomer('invoice_tax_charge', 'tax charges', 'invoice_id'),
  ],
  bundle: [inCustomer('bundle_product', 'products', 'bundle_id')],
}
