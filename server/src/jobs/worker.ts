import { PgBoss } from 'pg-boss'
import type { House } from '../house.ts'
import { sweepSessions } from '../session/session.queries.ts'

export interface Worker {
  /** Lets the job under way finish. */
  stop(): Promise<void>
}

const SWEEP = 'sweep-sessions'

/**
 * Does the jobs of the queue, which lives in the same database; several workers may run, and each job is done by one of them.
 */
export const startWorker = async (house: House): Promise<Worker> => {
  const pool = house.store.pools.background
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values ?? []) },
    schema: 'pgboss',
    cronMonitorIntervalSeconds: 30,
    maintenanceIntervalSeconds: 300,
  })
  boss.on('error', (error) => house.log.error({ err: error }, 'the job queue had a problem'))
  await boss.start()
  await boss.createQueue(SWEEP, { retryLimit: 3, policy: 'singleton' })
  await boss.schedule(SWEEP, '17 * * * *')
  await boss.work(SWEEP, { batchSize: 1, pollingIntervalSeconds: 10 }, async () => {
    await house.store.transact({ role: 'counterfoil_system' }, (db) => sweepSessions(db, house.clock()), 'background')
  })
  house.log.info('the worker is ready')
  return { stop: () => boss.stop({ graceful: true, timeout: 20_000 }) }
}
