import type { Day } from '@counterfoil/contract/kit/day'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Registers a new job; its first run is tomorrow. */
export const registerDailyJob = async (db: Db, name: string, today: Day): Promise<void> => {
  await sql`insert into daily_job (name, done_on) values (${name}, ${today}::date) on conflict (name) do nothing`.execute(db)
}

/** Claims today's run of a job; false when it is done or another worker runs it. */
export const claimDailyJob = async (db: Db, name: string, claim: { today: Day; now: Date; leaseUntil: Date }): Promise<boolean> => {
  const { rows } = await sql`
    update daily_job set leased_until = ${claim.leaseUntil}
    where name = ${name} and done_on < ${claim.today}::date and (leased_until is null or leased_until <= ${claim.now})
    returning name`.execute(db)
  return rows.length === 1
}

/** Marks today's run as done. */
export const completeDailyJob = async (db: Db, name: string, today: Day): Promise<void> => {
  await sql`update daily_job set done_on = ${today}::date, leased_until = null where name = ${name}`.execute(db)
}

/** Lets any worker claim a failed run again at a later time. */
export const scheduleDailyRetry = async (db: Db, name: string, leaseUntil: Date): Promise<void> => {
  await sql`update daily_job set leased_until = ${leaseUntil} where name = ${name}`.execute(db)
}
