import { sql } from 'kysely'

/** What stands before an invoice's amounts: the customer's symbol in the customer's currency, the currency's code in any other. */
export const shownSymbol = sql<string>`case when invoice.currency = customer.currency then customer.currency_symbol else invoice.currency end`
