import type { Day } from '@counterfoil/contract/kit/day'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Notes a job that nobody knows yet; it begins tomorrow. */
export const registerDailyJob = async (db: Db, name: string, today: Day): Promise<void> => {
  await sql`insert into daily_job (name, done_on) values (${name}, ${today}::date) on conflict (name) do nothing`.execute(db)
}

/** Takes today's turn of a job; false when it is done, or in another worker's hands. */
export const claimDailyJob = async (db: Db, name: string, claim: { today: Day; now: Date; leaseUntil: Date }): Promise<boolean> => {
  const { rows } = await sql`
    update daily_job set leased_until = ${claim.leaseUntil}
    where name = ${name} and done_on < ${claim.today}::date and (leased_until is null or leased_until <= ${claim.now})
    returning name`.execute(db)
  return rows.length === 1
}

/** The turn is done with. */
export const completeDailyJob = async (db: Db, name: string, today: Day): Promise<void> => {
  await sql`update daily_job set done_on = ${today}::date, leased_until = null where name = ${name}`.execute(db)
}

/** The turn failed; somebody may take it again then. */
export const scheduleDailyRetry = async (db: Db, name: string, leaseUntil: Date): Promise<void> => {
  await sql`update daily_job set leased_until = ${leaseUntil} where name = ${name}`.execute(db)
}
