import { minFinding, type Finding, median } from '../harness/findings.ts'
import { startBareFastify } from '../baselines/bare-fastify.ts'
import { openClient, runClosedLoop } from '../harness/http-load.ts'
import { runPgbench } from '../harness/pgbench.ts'
import { type BenchEnvironment, signInPeople } from '../harness/environment.ts'

const REPETITIONS = 5
const LOAD = { clients: 16, seconds: 3 }
/** A customer of the demo data, with 30 invoices. */
const CUSTOMER = 220_401
const RESELLER = 2_204

/** What a list reads, as bare statements without role, tenant and policies. */
const LISTS: Readonly<Record<string, { readonly path: string; readonly statements: string }>> = {
  'Invoice list': {
    path: '/v1/ec/invoices',
    statements: `
select i.customer_id, i.id, i.number, i.currency, i.amount_minor, i.amount_due_minor, i.issued_on, i.due_on, i.generated_at, i.status, p.starts_on,
  p.ends_on, c.currency_symbol, r.payments_enabled, r.payment_provider, i.pay_token_hash is not null,
  exists (select from payment_attempt_item a where a.customer_id = i.customer_id and a.invoice_id = i.id and a.live)
 from invoice i join customer c on c.id = i.customer_id join reseller r on r.id = c.reseller_id
 left join billing_period p on p.customer_id = i.customer_id and p.id = i.period_id
 where i.customer_id = ${CUSTOMER} order by i.issued_on desc, i.id desc limit 1000;
select line, currency, fixed_minor, percent::text from payment_fee_rule where reseller_id = ${RESELLER};
`,
  },
  "Dashboard's bundles": {
    path: '/v1/ec/bundle-widget',
    statements: `
select b.id, b.name, p.product_name, p.service_item, p.quantity, p.unit_label, p.consumption
 from bundle b left join bundle_product p on p.customer_id = b.customer_id and p.bundle_id = b.id
 where b.customer_id = ${CUSTOMER} order by b.id, p.product_no limit 500;
`,
  },
}

/** Measures lists of the demo data through the whole server against their bare statements by pgbench, interleaved. */
export const measureLists = async ({ server, postgres }: BenchEnvironment): Promise<Finding[]> => {
  const database = new URL(postgres.adminUrl)
  database.pathname = 'counterfoil'
  const people = await signInPeople(server.url, database.href, CUSTOMER)
  const client = openClient(server.url, LOAD.clients)
  const findings: Finding[] = []
  for (const [name, { path, statements }] of Object.entries(LISTS)) {
    const calls = people.map((headers) => ({ path, headers }))
    await runClosedLoop(client, calls, { ...LOAD, seconds: 1 })
    const bareServer = await startBareFastify((await client.send({ path, headers: people[0] ?? {} })).body)
    const bareClient = openClient(bareServer.url, LOAD.clients)
    const ratios: number[] = []
    const reachable: number[] = []
    const perSecond: number[] = []
    for (let round = 0; round < REPETITIONS; round += 1) {
      const bare = await runPgbench(database.href, statements, LOAD)
      const served = await runClosedLoop(client, calls, LOAD)
      reachable.push((await runClosedLoop(bareClient, { path: '/' }, LOAD)).perSecond / bare.perSecond)
      ratios.push(served.perSecond / bare.perSecond)
      perSecond.push(served.perSecond)
    }
    bareClient.close()
    bareServer.stop()
    findings.push(
      minFinding(
        `${name} a second at 16 clients : pgbench, the bare statements`,
        median(ratios),
        0.4,
        '×',
        ` (${median(perSecond).toFixed(0)} a second)`,
      ),
      minFinding(`${name}, the same bytes from memory by bare Fastify : pgbench`, median(reachable), 0, '×'),
    )
  }
  client.close()
  return findings
}
