import { type RawBuilder, sql } from 'kysely'

/**
 * The SQL of what stands before the amounts of a table's rows: the customer's symbol in the customer's currency, else the currency's code.
 * @param table joined to the customer under this name
 */
export const shownSymbol = (table: 'invoice' | 'intent' | 'attempt' | 'adjustment'): RawBuilder<string> => {
  const currency = sql.ref(`${table}.currency`)
  return sql<string>`case when ${currency} = customer.currency then customer.currency_symbol else ${currency} end`
}
