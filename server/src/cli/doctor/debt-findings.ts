import { toDecimalText } from '@counterfoil/contract/kit/money'
import { sql } from 'kysely'
import type { Db, Store } from '../../db/database.ts'
import { storedDebtFault } from '../../db/constraints/invoice-debt.ts'
import { listUnvalidated } from '../../db/constraints/validate-constraints.ts'
import { debtFaultText } from '../../imports/invoice-debt.rules.ts'
import { type Finding, goodFinding, warningFinding } from './finding.ts'

interface ImpossibleDebt {
  readonly resellerId: number
  readonly customer: string
  readonly number: string
  readonly currency: string
  readonly amountMinor: number
  readonly dueMinor: number
  readonly fault: string
  /** How many the reseller has in all. */
  readonly count: number
}

const MAX_NAMED = 5

/**
 * One finding about invoices, imported before they were checked, whose amount due cannot be: good once the constraint invoice_debt is
 * validated.
 */
export const debtFindings = async (store: Store): Promise<Finding[]> => {
  const unvalidated = await store.transact({ role: 'owner' }, listUnvalidated)
  if (!unvalidated.some(({ name }) => name === 'invoice_debt'))
    return [goodFinding('invoices', 'What is due of every invoice is a debt that can be.')]
  const resellers = await store.transact({ role: 'counterfoil_system' }, (db) =>
    db.selectFrom('reseller').select('id').orderBy('id').execute(),
  )
  const found: ImpossibleDebt[] = []
  let count = 0
  for (const { id } of resellers) {
    const own = await store.transact({ role: 'counterfoil_reseller', resellerId: id }, (db) => listImpossibleDebts(db, id))
    count += own[0]?.count ?? 0
    found.push(...own.slice(0, MAX_NAMED - found.length))
  }
  if (count === 0)
    return [
      warningFinding(
        'invoices',
        'No invoice has a debt that cannot be any more.',
        'Run counterfoil migrate, so that the database holds to it.',
      ),
    ]
  return [
    warningFinding(
      'invoices',
      [
        `${count.toLocaleString('en')} ${count === 1 ? 'invoice has a debt' : 'invoices have debts'} that cannot be, from before imports were checked for it.`,
        ...found.map(toLine),
        ...(count > found.length ? [`  and ${(count - found.length).toLocaleString('en')} more`] : []),
      ].join('\n'),
      'Import them again as they should be (counterfoil import invoices), then run counterfoil migrate.',
    ),
  ]
}

/** One indented line of the finding: whose invoice, its number, and what is wrong with its debt. */
const toLine = ({ resellerId, customer, number, currency, amountMinor, dueMinor, fault }: ImpossibleDebt): string => {
  const text = (minor: number): string => toDecimalText({ minor: BigInt(minor), currency })
  const reason = debtFaultText(fault, { due: text(dueMinor), amount: text(amountMinor) })
  return `  reseller ${resellerId}, customer ${customer}, ${number} (${currency}): ${reason}`
}

/**
 * A reseller's first MAX_NAMED invoices with an impossible amount due, each with the count of all. Runs as counterfoil_reseller.
 * Asks by the keys of its customers, so that no other reseller's invoices are read.
 */
const listImpossibleDebts = async (db: Db, resellerId: number): Promise<ImpossibleDebt[]> => {
  await sql`set local statement_timeout = 0`.execute(db)
  const { rows } = await sql<ImpossibleDebt>`
    select ${resellerId}::integer as "resellerId", coalesce(c.external_id, c.id::text) as customer, i.number, i.currency,
      i.amount_minor as "amountMinor", i.amount_due_minor as "dueMinor", ${storedDebtFault('i')} as fault, (count(*) over ())::integer as count
    from invoice i join customer c on c.id = i.customer_id
    where i.customer_id = any (array(select o.id from customer o)) and ${storedDebtFault('i')} is not null
    order by i.customer_id, i.id limit ${MAX_NAMED}`.execute(db)
  return rows
}
