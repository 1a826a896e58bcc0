import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { maxFinding, type Finding } from '../harness/findings.ts'
import { startWorker } from '../harness/running-server.ts'
import { usageFixture } from '../usage/usage.ts'
import type { BenchEnvironment } from '../harness/environment.ts'

const FIRST_CUSTOMER = 5_000_001
/** How many reports each customer requests: the first very many, the others ten. */
const GREEDY_REPORTS = 700
const MODEST_REPORTS = 10
const CUSTOMERS = 31
const TOTAL_REPORTS = GREEDY_REPORTS + (CUSTOMERS - 1) * MODEST_REPORTS
const STATUS_READY = 30

interface QueueState {
  readonly finished: number
  readonly failed: number
  readonly maxRunning: number
}

/** Measures fairness and memory with a thousand queued reports and three workers. */
export const measureQueue = async (environment: BenchEnvironment): Promise<Finding[]> => {
  const { adminUrl } = await usageFixture(environment)
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  const workers = [startWorker(environment.settings), startWorker(environment.settings)]
  try {
    const startedAt = performance.now()
    await client.query(
      `with reports as (
          insert into report_job (customer_id, id, reseller_id, brand_id, report_id, parameters, requested_at, expires_at)
          select $1::bigint + c, gen_random_uuid(), 2204, 2204, 2, '{"days":null,"serviceId":null,"invoiceId":null}', now(), now() + interval '1 day'
          from generate_series(0, $2::int - 1) c cross join lateral generate_series(1, case when c = 0 then $3::int else $4::int end)
          returning id, customer_id)
        insert into job (id, kind, key, created_at, run_at) select id, 'report', customer_id, now(), now() from reports`,
      [FIRST_CUSTOMER, CUSTOMERS, GREEDY_REPORTS, MODEST_REPORTS],
    )
    const processes = [environment.server, ...workers].map(({ rssMb }) => ({ rssMb, peak: 0 }))
    let [maxRunning, modestSeconds] = [0, Number.NaN]
    for (;;) {
      const state = await readQueueState(client)
      maxRunning = Math.max(maxRunning, state.maxRunning)
      for (const one of processes) one.peak = Math.max(one.peak, one.rssMb())
      if (Number.isNaN(modestSeconds) && (await countModestPending(client)) === 0) modestSeconds = (performance.now() - startedAt) / 1_000
      if (state.failed > 0) throw new Error(`${state.failed} reports failed`)
      if (state.finished === TOTAL_REPORTS) break
      await setTimeout(100)
    }
    const seconds = (performance.now() - startedAt) / 1_000
    const peakMb = Math.max(...processes.map(({ peak }) => peak))
    return [
      maxFinding('Concurrent reports of one customer, of 1,000 in the queue', maxRunning, 2, ''),
      maxFinding(
        'Last report of the customers with 10 : last report of the customer with 700',
        modestSeconds / seconds,
        0.9,
        '×',
        ` (${modestSeconds.toFixed(0)} of ${seconds.toFixed(0)} s)`,
      ),
      maxFinding('Peak memory of three processes that generate 1,000 reports', peakMb, 400, 'MB'),
    ]
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    await client.query('delete from report_job')
    await client.query(`delete from job where kind = 'report'`)
    await client.end()
  }
}

const readQueueState = async (client: pg.Client): Promise<QueueState> => {
  const { rows } = await client.query<{ finished: string; failed: string; maxRunning: string }>(`
    select coalesce(sum(ready), 0) as finished, coalesce(sum(failed), 0) as failed, coalesce(max(running), 0) as "maxRunning" from (
      select count(*) filter (where status = ${STATUS_READY}) as ready, count(*) filter (where status = 40) as failed, count(*) filter (where status = 20) as running
      from report_job group by customer_id) each_customer`)
  const [row] = rows
  return { finished: Number(row?.finished), failed: Number(row?.failed), maxRunning: Number(row?.maxRunning) }
}

const countModestPending = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ n: string }>(
    `select count(*) as n from report_job where status <> ${STATUS_READY} and customer_id <> ${FIRST_CUSTOMER}`,
  )
  return Number(rows[0]?.n)
}
