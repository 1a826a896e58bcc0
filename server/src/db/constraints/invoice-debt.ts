import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import { type RawBuilder, sql } from 'kysely'

/** In the text of a statement rather than as parameters, so that a partial index on a status is found. */
const STATUS = {
  open: sql.lit(INVOICE_STATUS.open),
  inCollection: sql.lit(INVOICE_STATUS.inCollection),
  credited: sql.lit(INVOICE_STATUS.credited),
}

/** What is still owed of an invoice, in minor units: of an open one and of one in collection; of any other nothing. @param table its name in the query */
export const dueMinor = (table: string): RawBuilder<number> =>
  sql<number>`case when ${sql.ref(`${table}.status`)} in (${STATUS.open}, ${STATUS.inCollection})
    then ${sql.ref(`${table}.amount_due_minor`)} else 0 end`

/** What a credit note still gives, in minor units, as a positive number; of any other invoice nothing. Nothing sets it off but the billing engine. */
export const creditMinor = (table: string): RawBuilder<number> =>
  sql<number>`case when ${sql.ref(`${table}.status`)} = ${STATUS.credited} and ${sql.ref(`${table}.amount_minor`)} < 0
    then greatest(-${sql.ref(`${table}.amount_due_minor`)}, 0) else 0 end`

/** What is owed of an invoice or, below zero, the credit that it gives. Minor units. */
export const balanceMinor = (table: string): RawBuilder<number> => sql<number>`(${dueMinor(table)} - ${creditMinor(table)})`

/** Whether an invoice can be charged: something is due of it, and no debit of it is on its way. */
export const isChargeable = (table: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${table}.status`)} = ${STATUS.open} and ${sql.ref(`${table}.amount_due_minor`)} > 0)`

interface Debt {
  readonly status: RawBuilder<unknown>
  /** Minor units, as what is due. */
  readonly amount: RawBuilder<unknown>
  readonly due: RawBuilder<unknown>
}

/** The fault of a debt that cannot be, or null: the rule of the constraint `invoice_debt` (migrations/0125). */
export const debtFault = ({ status, amount, due }: Debt): RawBuilder<string | null> =>
  sql<string | null>`invoice_debt_fault((${status})::integer, ${amount}, ${due})`

/** The fault of a stored invoice. @param table its name in the query */
export const storedDebtFault = (table: string): RawBuilder<string | null> =>
  debtFault({ status: sql.ref(`${table}.status`), amount: sql.ref(`${table}.amount_minor`), due: sql.ref(`${table}.amount_due_minor`) })
