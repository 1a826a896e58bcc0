import pg from 'pg'
import { atMost, type Finding, percentile } from '../harness/findings.ts'
import { client } from '../harness/http-load.ts'
import { slowCompany } from '../baselines/slow-provider.ts'
import type { World } from '../harness/world.ts'

const RESELLER = 2_204
const CUSTOMER = 220_401
const WARM = 20
const PAYMENTS = 200
/** What a payment company takes for a call on a good day. */
const LATENCY_MS = 100

interface Link {
  readonly token: string
  readonly number: string
}

/** Points the demo reseller at the slow company, and gives its customer invoices to pay. */
const prepared = async (adminUrl: string, companyUrl: string): Promise<Link[]> => {
  const url = new URL(adminUrl)
  url.pathname = 'counterfoil'
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  await admin.query('update payment_account set base_url = $1 where reseller_id = $2', [`${companyUrl}/stripe`, RESELLER])
  const { rows } = await admin.query<Link>(
    `insert into invoice (customer_id, number, currency, net_minor, amount_minor, amount_due_minor, issued_on, due_on, generated_at, pay_token)
     select $1, 'BENCH-' || n, 'AUD', 10000, 11000, 11000, current_date, current_date + 14, now(), md5(random()::text) || n
     from generate_series(1, $2) n returning pay_token as token, number`,
    [CUSTOMER, WARM + PAYMENTS],
  )
  await admin.end()
  return rows
}

/** How long a payment's answer takes beyond the time that the company itself takes; one after the other, a new card each. */
export const paymentFindings = async ({ server, postgres }: World): Promise<Finding[]> => {
  const company = await slowCompany(LATENCY_MS)
  const payer = client(server.url, 1)
  try {
    const links = await prepared(postgres.adminUrl, company.url)
    const ours: number[] = []
    let calls = 0
    for (const [at, { token, number }] of links.entries()) {
      company.spent()
      const body = { uid: token, invoiceNumber: number, invoiceAmount: '110.00', cardToken: 'pm_card_visa', cardHolder: 'Ada Payer' }
      const answer = await payer.send({
        path: '/v1/ec/pay',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (answer.status !== 200) throw new Error(`a payment was answered ${answer.status}: ${answer.body.toString().slice(0, 200)}`)
      const spent = company.spent()
      calls = spent.calls
      if (at >= WARM) ours.push(answer.ms - spent.ms)
    }
    const note = ` (${PAYMENTS} payments, ${calls} calls of ${LATENCY_MS} ms each)`
    return [
      atMost('A payment’s answer minus the company’s own time, p50', percentile(ours, 0.5), 50, 'ms', note),
      atMost('A payment’s answer minus the company’s own time, p99', percentile(ours, 0.99), 50, 'ms'),
    ]
  } finally {
    payer.close()
    await company.stop()
  }
}
