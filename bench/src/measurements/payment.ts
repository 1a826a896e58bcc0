import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { maxFinding, type Finding, percentile } from '../harness/findings.ts'
import { openClient } from '../harness/http-load.ts'
import { startSlowProvider } from '../baselines/slow-provider.ts'
import type { BenchEnvironment } from '../harness/environment.ts'

const RESELLER = 2_204
const CUSTOMER = 220_401
const WARM_UP_PAYMENTS = 20
const PAYMENTS = 200
/** The typical latency of a payment provider's call. */
const LATENCY_MS = 100

interface PaymentLink {
  readonly token: string
  readonly number: string
}

/** Points the demo reseller at the slow provider and creates invoices with payment links. */
const createPaymentLinks = async (adminUrl: string, providerUrl: string): Promise<PaymentLink[]> => {
  const url = new URL(adminUrl)
  url.pathname = 'counterfoil'
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  await admin.query('update payment_account set base_url = $1 where reseller_id = $2', [`${providerUrl}/stripe`, RESELLER])
  const links = Array.from({ length: WARM_UP_PAYMENTS + PAYMENTS }, (_, n) => ({ token: randomUUID(), number: `BENCH-${n}` }))
  await admin.query(
    `insert into invoice (customer_id, number, currency, net_minor, amount_minor, amount_due_minor, issued_on, due_on, generated_at, pay_token_hash)
     select $1, n.number, 'AUD', 10000, 11000, 11000, current_date, current_date + 14, now(), sha256(convert_to(n.token, 'UTF8'))
     from json_to_recordset($2) as n(token text, number text)`,
    [CUSTOMER, JSON.stringify(links)],
  )
  await admin.end()
  return links
}

/** Measures the time of a payment beyond the provider's own time; one payment after the other, each with a new card. */
export const measurePayment = async ({ server, postgres }: BenchEnvironment): Promise<Finding[]> => {
  const provider = await startSlowProvider(LATENCY_MS)
  const client = openClient(server.url, 1)
  try {
    const links = await createPaymentLinks(postgres.adminUrl, provider.url)
    const ownMs: number[] = []
    let calls = 0
    for (const [index, { token, number }] of links.entries()) {
      provider.takeTimings()
      const body = { uid: token, invoiceNumber: number, invoiceAmount: '110.00', cardToken: 'pm_card_visa', cardHolder: 'Ada Payer' }
      const response = await client.send({
        path: '/v1/ec/pay',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (response.status !== 200) throw new Error(`a payment was answered ${response.status}: ${response.body.toString().slice(0, 200)}`)
      const providerTime = provider.takeTimings()
      calls = providerTime.calls
      if (index >= WARM_UP_PAYMENTS) ownMs.push(response.ms - providerTime.ms)
    }
    const note = ` (${PAYMENTS} payments, ${calls} calls of ${LATENCY_MS} ms each)`
    return [
      maxFinding('A payment’s response minus the provider’s own time, p50', percentile(ownMs, 0.5), 50, 'ms', note),
      maxFinding('A payment’s response minus the provider’s own time, p99', percentile(ownMs, 0.99), 50, 'ms'),
    ]
  } finally {
    client.close()
    await provider.stop()
  }
}
