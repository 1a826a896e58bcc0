import pg from 'pg'
import { maxFinding, type Finding, percentile } from '../harness/findings.ts'
import { openClient, runClosedLoop } from '../harness/http-load.ts'
import { signInHeaders, type BenchEnvironment } from '../harness/environment.ts'

const CUSTOMER = 220_401

/** Creates an invoice of one line and one of four hundred. */
const createInvoices = async (adminUrl: string): Promise<{ short: number; long: number }> => {
  const url = new URL(adminUrl)
  url.pathname = 'counterfoil'
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  try {
    const ids = { short: 990_001, long: 990_400 }
    for (const [id, lines] of [
      [ids.short, 1],
      [ids.long, 400],
    ] as const) {
      await admin.query(
        `insert into invoice (customer_id, id, number, currency, net_minor, amount_minor, amount_due_minor, issued_on, due_on, generated_at)
         values ($1, $2::bigint, 'BENCH-' || $2::bigint, 'AUD', $3::int * 100, $3::int * 100, $3::int * 100, '2026-11-01', '2026-11-15', now())`,
        [CUSTOMER, id, lines],
      )
      await admin.query(
        `insert into invoice_line (customer_id, invoice_id, line_no, service_name, description, service_item, from_on, to_on, quantity, unit, unit_price, amount_minor)
         select $1::bigint, $2::bigint, n, 'Service ' || n / 40, 'Connection ' || n || ', data of the month', '0491 570 ' || n, '2026-10-01', '2026-10-31', n, 'GB', 0.5, 100
         from generate_series(1, $3::int) n`,
        [CUSTOMER, id, lines],
      )
    }
    return ids
  } finally {
    await admin.end()
  }
}

/** Measures invoice PDFs through the API, and how much rendering them slows down other requests. */
export const measureDocuments = async ({ server, postgres }: BenchEnvironment): Promise<Finding[]> => {
  const ids = await createInvoices(postgres.adminUrl)
  const headers = await signInHeaders(server.url, 'demo', CUSTOMER)
  const pdfClient = openClient(server.url, 1)
  const pageClient = openClient(server.url, 1)
  const pdfCall = (id: number) => ({ path: `/v1/ec/invoices/${id}`, headers })
  const pageCall = { path: '/v1/ec/invoices', headers }
  await runClosedLoop(pdfClient, pdfCall(ids.short), { clients: 1, seconds: 2 })
  const onePage = await runClosedLoop(pdfClient, pdfCall(ids.short), { clients: 1, seconds: 3 })
  const manyLines = await runClosedLoop(pdfClient, pdfCall(ids.long), { clients: 1, seconds: 5 })
  await runClosedLoop(pageClient, pageCall, { clients: 1, seconds: 1 })
  const idle = await runClosedLoop(pageClient, pageCall, { clients: 1, seconds: 4 })
  const [, busy] = await Promise.all([
    runClosedLoop(pdfClient, pdfCall(ids.long), { clients: 1, seconds: 4 }),
    runClosedLoop(pageClient, pageCall, { clients: 1, seconds: 4 }),
  ])
  pdfClient.close()
  pageClient.close()
  return [
    maxFinding('Invoice PDF of one page, p50', percentile(onePage.ms, 0.5), 100, 'ms', ` (${onePage.perSecond.toFixed(0)} a second)`),
    maxFinding('Invoice PDF of 400 lines, p50', percentile(manyLines.ms, 0.5), 1_000, 'ms'),
    maxFinding(
      'Page p99 while a PDF of 400 lines is rendered : idle',
      percentile(busy.ms, 0.99) / percentile(idle.ms, 0.99),
      4,
      '×',
      ` (${percentile(idle.ms, 0.99).toFixed(1)} → ${percentile(busy.ms, 0.99).toFixed(1)} ms)`,
    ),
  ]
}
