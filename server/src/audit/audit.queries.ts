import type { Day } from '@counterfoil/contract/kit/day'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { AuditEntryTable } from '../db/tables/tenants.ts'
import { FIRST_SEAL, KEY_REPLACED } from './audit-seal.ts'

export type AuditRow = AuditEntryTable

/**
 * The last number and seal of a reseller's chain, locked until the transaction ends: the next entry follows it.
 * A chain that has none yet begins with number 0. @throws Error when the role may not write to it
 */
export const lockChainEnd = async (db: Db, resellerId: number): Promise<{ seq: number; seal: Buffer }> => {
  const head = await selectHeadForUpdate(db, resellerId)
  if (head !== undefined) return head
  await sql`insert into audit_head (reseller_id, seq, seal) values (${resellerId}, 0, ${FIRST_SEAL}) on conflict do nothing`.execute(db)
  const inserted = await selectHeadForUpdate(db, resellerId)
  if (inserted === undefined) throw new Error('this role may not write to the audit log of this reseller')
  return inserted
}

/** The last number and seal of a reseller's chain, locked; undefined before its first entry. */
const selectHeadForUpdate = (db: Db, resellerId: number): Promise<{ seq: number; seal: Buffer } | undefined> =>
  db.selectFrom('audit_head').select(['seq', 'seal']).where('reseller_id', '=', resellerId).forUpdate().executeTakeFirst()

/** Inserts an entry and makes it the end of its chain. */
export const insertEntry = async (db: Db, row: AuditRow): Promise<void> => {
  await db.insertInto('audit_entry').values(row).execute()
  await db.updateTable('audit_head').set({ seq: row.seq, seal: row.seal }).where('reseller_id', '=', row.reseller_id).execute()
}

export interface ChainEnd {
  readonly resellerId: number
  readonly seq: number
  readonly seal: Buffer
}

/** The last number and seal of every chain, by reseller. Locks nothing. */
export const chainEnds = (db: Db): Promise<ChainEnd[]> =>
  db.selectFrom('audit_head').select(['reseller_id as resellerId', 'seq', 'seal']).orderBy('reseller_id').execute()

/** The entry that was written last, of any chain; undefined in an empty log. */
export const lastEntry = (db: Db): Promise<AuditRow | undefined> =>
  db
    .selectFrom('audit_entry')
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('reseller_id', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The entries of a chain after a number, up to the chain's end. */
export const entriesAfter = (db: Db, { resellerId, seq }: ChainEnd, after: number, limit: number): Promise<AuditRow[]> =>
  db
    .selectFrom('audit_entry')
    .selectAll()
    .where('reseller_id', '=', resellerId)
    .where('seq', '>', after)
    .where('seq', '<=', seq)
    .orderBy('seq')
    .limit(limit)
    .execute()

/** The entries by which a chain was begun anew under another master key, the newest first; nobody has proved them yet. */
export const keyReplacements = (db: Db, { resellerId, seq }: ChainEnd): Promise<AuditRow[]> =>
  db
    .selectFrom('audit_entry')
    .selectAll()
    .where('reseller_id', '=', resellerId)
    .where('seq', '<=', seq)
    .where('action', '=', KEY_REPLACED)
    .orderBy('seq', 'desc')
    .execute()

/** Entries that belong to no chain: numbered after the end of their reseller's chain, or of a reseller without a chain. */
export const strayEntries = async (db: Db, limit: number): Promise<{ resellerId: number; seq: number }[]> => {
  const { rows } = await sql<{ resellerId: number; seq: number }>`
    select e.reseller_id as "resellerId", e.seq from audit_entry e left join audit_head h on h.reseller_id = e.reseller_id
    where h.seq is null or e.seq > h.seq order by e.reseller_id, e.seq limit ${limit}`.execute(db)
  return rows
}

/** Filters; null matches everything. */
export interface AuditFilter {
  readonly resellerId: number | null
  readonly customerId: number | null
  /** Who acted, or for whom: a name or a user's id. */
  readonly who: string | null
  /** An action such as `user.disabled`, or its first word. */
  readonly action: string | null
  /** The first and the last day, in UTC. */
  readonly since: Day | null
  readonly until: Day | null
}

/** The matching entries, newest first. Runs as counterfoil_system. */
export const findEntries = async (db: Db, { resellerId, customerId, who, action, since, until }: AuditFilter, limit: number) => {
  const rows = await db
    .selectFrom('audit_entry')
    .selectAll()
    .$if(resellerId !== null, (query) => query.where('reseller_id', '=', resellerId ?? 0))
    .$if(customerId !== null, (query) => query.where('about_customer_id', '=', customerId))
    .$if(who !== null, (query) =>
      query.where(sql<boolean>`lower(${who}) in (lower(actor_name), actor_id, lower(in_name_of), in_name_of_id)`),
    )
    .$if(action !== null, (query) => query.where(sql<boolean>`${action} in (action, split_part(action, '.', 1))`))
    .$if(since !== null, (query) => query.where('at', '>=', sql<Date>`${since}::date at time zone 'UTC'`))
    .$if(until !== null, (query) => query.where('at', '<', sql<Date>`(${until}::date + 1) at time zone 'UTC'`))
    .orderBy('at', 'desc')
    .orderBy('reseller_id', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    at: row.at,
    resellerId: row.reseller_id,
    seq: row.seq,
    action: row.action,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    inNameOf: row.in_name_of === null ? null : { id: row.in_name_of_id, name: row.in_name_of },
    subject: row.subject,
    customerId: row.about_customer_id,
    source: row.source,
    detail: row.detail,
  }))
}
