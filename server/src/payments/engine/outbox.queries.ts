import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** An event for the billing engine. `position` counts in the order of delivery; the column is `place`. */
export interface OutboxEvent {
  readonly position: number
  readonly kind: string
  readonly resellerId: number
  readonly createdAt: Date
  readonly payload: Readonly<Record<string, unknown>>
}

/**
 * Gives every event of the outbox that has no position the next one after all others, for one reader at a time. Runs as counterfoil_system.
 */
export const assignEventPositions = async (db: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('payment outbox'))`.execute(db)
  await sql`
    update payment_outbox o set place = n.place from (
      select reseller_id, id, (select coalesce(max(place), 0) from payment_outbox) + row_number() over (order by id) as place
      from payment_outbox where place is null
    ) n where o.reseller_id = n.reseller_id and o.id = n.id and o.place is null`.execute(db)
}

/**
 * Lists the positions of the events after the position `since`, in order, each with its reseller: the events of one reseller, or of all for
 * null. Runs as counterfoil_system.
 */
export const listEventPositionsAfter = async (
  db: Db,
  { since, resellerId, limit }: { since: number; resellerId: number | null; limit: number },
) => {
  const { rows } = await sql<{ position: number; resellerId: number }>`
    select place as position, reseller_id as "resellerId" from payment_outbox
    where place > ${since} and (${resellerId}::integer is null or reseller_id = ${resellerId}) order by place limit ${limit}`.execute(db)
  return rows
}

/** Lists the events at these positions, in any order. Runs as counterfoil_reseller. */
export const listEventsAtPositions = async (db: Db, positions: readonly number[]): Promise<OutboxEvent[]> => {
  const { rows } = await sql<OutboxEvent>`
    select place as position, kind, reseller_id as "resellerId", created_at as "createdAt", payload from payment_outbox
    where place = any(${positions}::bigint[])`.execute(db)
  return rows
}
