/** A table whose changes an import notes. */
export interface UndoLoggedTable {
  readonly table: string
  /** Its primary key. */
  readonly key: readonly string[]
  /** Its rows, in the plural. */
  readonly words: string
  /** True for what FOCUS files share: an undo leaves the rows that something else uses. */
  readonly isShared?: true
}

/** A table whose primary key is a customer's id and an id. */
const ofCustomer = (table: string, words: string, more: Partial<UndoLoggedTable> = {}): UndoLoggedTable => ({
  table,
  key: ['customer_id', 'id'],
  words,
  ...more,
})

/** The tables that imports write, what refers to others before them. Migration 0067 has the same. */
export const UNDO_LOGGED_TABLES: readonly UndoLoggedTable[] = [
  { table: 'invoice_line', key: ['customer_id', 'invoice_id', 'line_no'], words: 'invoice lines' },
  { table: 'invoice_tax', key: ['customer_id', 'invoice_id', 'tax_no'], words: 'invoice taxes' },
  { table: 'invoice_tax_charge', key: ['customer_id', 'external_id'], words: 'tax charges' },
  ofCustomer('billing_transaction', 'transactions'),
  { table: 'bundle_product', key: ['customer_id', 'bundle_id', 'product_no'], words: 'products of bundles' },
  { table: 'opening_balance', key: ['customer_id'], words: 'opening balances' },
  { table: 'data_usage_day', key: ['customer_id', 'used_on'], words: 'days of data usage' },
  { table: 'user_customer', key: ['user_id', 'customer_id'], words: 'links between users and customers' },
  ofCustomer('invoice', 'invoices'),
  ofCustomer('bundle', 'bundles'),
  ofCustomer('billing_period', 'billing periods', { isShared: true }),
  ofCustomer('service_item', 'service items', { isShared: true }),
  ofCustomer('agreement', 'agreements', { isShared: true }),
  { table: 'record_type', key: ['id'], words: 'record types', isShared: true },
  { table: 'service', key: ['id'], words: 'services', isShared: true },
  { table: 'app_user', key: ['id'], words: 'users', isShared: true },
  { table: 'customer', key: ['id'], words: 'customers', isShared: true },
]

/** What loads of usage correct: they note the records that they remove. Usage that is added is undone by its ids. */
export const USAGE_RECORDS: UndoLoggedTable = ofCustomer('usage_record', 'usage records')
