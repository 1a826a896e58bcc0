import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { atMost, type Finding } from '../harness/findings.ts'
import { startWorker } from '../harness/running-server.ts'
import { ground } from '../usage/usage.ts'
import type { World } from '../harness/world.ts'

const FIRST_CUSTOMER = 5_000_001
/** How many reports each customer asks for: one very many, the others ten. */
const GREEDY = 700
const MODEST = 10
const CUSTOMERS = 31
const ALL = GREEDY + (CUSTOMERS - 1) * MODEST
const READY = 30

interface Round {
  readonly finished: number
  readonly failed: number
  readonly most: number
}

/** A thousand reports in the queue, the server's own worker and two more: who waits for whom, and what it takes. */
export const queueFindings = async (world: World): Promise<Finding[]> => {
  const { adminUrl } = await ground(world)
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  const workers = [startWorker(world.settings), startWorker(world.settings)]
  try {
    const begun = performance.now()
    await client.query(
      `insert into report_job (customer_id, id, reseller_id, brand_id, report_id, parameters, requested_at, due_at, expires_at)
        select $1::bigint + c, gen_random_uuid(), 2204, 2204, 2, '{"days":null,"serviceId":null,"invoiceId":null}', now(), now(), now() + interval '1 day'
        from generate_series(0, $2::int - 1) c cross join lateral generate_series(1, case when c = 0 then $3::int else $4::int end)`,
      [FIRST_CUSTOMER, CUSTOMERS, GREEDY, MODEST],
    )
    const memory = [world.server, ...workers].map(({ rssMb }) => ({ rssMb, peak: 0 }))
    let [most, modestSeconds] = [0, Number.NaN]
    for (;;) {
      const round = await look(client)
      most = Math.max(most, round.most)
      for (const one of memory) one.peak = Math.max(one.peak, one.rssMb())
      if (Number.isNaN(modestSeconds) && (await modestLeft(client)) === 0) modestSeconds = (performance.now() - begun) / 1_000
      if (round.failed > 0) throw new Error(`${round.failed} reports failed`)
      if (round.finished === ALL) break
      await setTimeout(100) // others at work are looked at, not waited for
    }
    const seconds = (performance.now() - begun) / 1_000
    const peak = Math.max(...memory.map((one) => one.peak))
    return [
      atMost('Reports of one customer made at once, of 1,000 in the queue', most, 2, ''),
      atMost(
        'The last of those who asked for 10 : the last of him who asked for 700',
        modestSeconds / seconds,
        0.9,
        '×',
        ` (${modestSeconds.toFixed(0)} of ${seconds.toFixed(0)} s)`,
      ),
      atMost('Memory of the largest of three processes that make 1,000 reports', peak, 400, 'MB'),
    ]
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    await client.query('delete from report_job')
    await client.end()
  }
}

const look = async (client: pg.Client): Promise<Round> => {
  const { rows } = await client.query<{ finished: string; failed: string; most: string }>(`
    select coalesce(sum(ready), 0) as finished, coalesce(sum(failed), 0) as failed, coalesce(max(running), 0) as most from (
      select count(*) filter (where status = ${READY}) as ready, count(*) filter (where status = 40) as failed, count(*) filter (where status = 20) as running
      from report_job group by customer_id) each_customer`)
  const [found] = rows
  return { finished: Number(found?.finished), failed: Number(found?.failed), most: Number(found?.most) }
}

const modestLeft = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ n: string }>(
    `select count(*) as n from report_job where status <> ${READY} and customer_id <> ${FIRST_CUSTOMER}`,
  )
  return Number(rows[0]?.n)
}
