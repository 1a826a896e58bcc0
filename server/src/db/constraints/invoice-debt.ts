import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { type RawBuilder, sql } from 'kysely'

/** In the text of a statement rather than as parameters, so that a partial index on a status is found. */
const STATUS = {
  open: sql.lit(INVOICE_STATUS.open),
  inCollection: sql.lit(INVOICE_STATUS.inCollection),
  credited: sql.lit(INVOICE_STATUS.credited),
}

/**
 * SQL for what is due of an invoice, in minor units: the stored amount due of an open invoice and of one in collection, 0 for any other.
 * @param table the name or alias of the invoice table in the statement, as everywhere in this file
 */
export const dueMinor = (table: string): RawBuilder<number> =>
  sql<number>`case when ${sql.ref(`${table}.status`)} in (${STATUS.open}, ${STATUS.inCollection})
    then ${sql.ref(`${table}.amount_due_minor`)} else 0 end`

/**
 * SQL for the credit that a credit note still gives, in minor units, as a positive number; 0 for any other invoice. Only the billing engine
 * sets it off against invoices.
 */
export const creditMinor = (table: string): RawBuilder<number> =>
  sql<number>`case when ${sql.ref(`${table}.status`)} = ${STATUS.credited} and ${sql.ref(`${table}.amount_minor`)} < 0
    then greatest(-${sql.ref(`${table}.amount_due_minor`)}, 0) else 0 end`

/** SQL for the balance of an invoice in minor units: what is due of it, or below zero the credit that it still gives. */
export const balanceMinor = (table: string): RawBuilder<number> => sql<number>`(${dueMinor(table)} - ${creditMinor(table)})`

/** SQL for whether an invoice can be charged: it is open, so that no debit of it is under way, and something is due of it. */
export const isChargeable = (table: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${table}.status`)} = ${STATUS.open} and ${sql.ref(`${table}.amount_due_minor`)} > 0)`

interface Debt {
  readonly status: RawBuilder<unknown>
  /** Minor units, as what is due. */
  readonly amount: RawBuilder<unknown>
  readonly due: RawBuilder<unknown>
}

/** SQL for the fault of a debt that cannot be; null for one that can: the rule of the constraint `invoice_debt` (migrations/0125). */
export const debtFault = ({ status, amount, due }: Debt): RawBuilder<string | null> =>
  sql<string | null>`invoice_debt_fault((${status})::integer, ${amount}, ${due})`

/** SQL for the fault of a stored invoice's debt; null where it can be. @param table its name in the query */
export const storedDebtFault = (table: string): RawBuilder<string | null> =>
  debtFault({ status: sql.ref(`${table}.status`), amount: sql.ref(`${table}.amount_minor`), due: sql.ref(`${table}.amount_due_minor`) })
