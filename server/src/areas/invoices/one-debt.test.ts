import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Invoice } from '@counterfoil/contract/invoices'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, expect, test } from 'vitest'
import { runDueJobs } from '../../../test/support/jobs.ts'
import { runCommand, runJsonCommand } from '../../../test/support/operator.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { payByLink } from '../../../test/payments/payments-fixture.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { focusCsv } from '../../imports/focus/focus-sample.data.ts'
import { reportJob } from '../../jobs/report-job.ts'

const { fixture, payer } = await usePayments({ customer_permission_for_charging: false })
const { context } = fixture
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-one-debt-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const today = context.clock().toISOString().slice(0, 10)
const load = async (kind: string, text: string, ...more: string[]): Promise<void> => {
  const path = join(folder, kind)
  writeFileSync(path, text)
  expect(await runCommand(context, 'import', kind, path, '--reseller', String(payer.resellerId), ...more)).toMatchObject({ exit: 0 })
}
const readListed = async (): Promise<Invoice[]> => (await payer.me.get('/v1/ec/invoices')).json()

const wordsOf = async (bytes: Buffer): Promise<string> => {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const pages = await Promise.all(Array.from({ length: pdf.numPages }, async (_, at) => (await pdf.getPage(at + 1)).getTextContent()))
  return pages
    .flatMap(({ items }) => items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item.str.trim()] : [])))
    .join(' | ')
}

const statement = async (): Promise<string> => {
  const parameters = [
    { name: 'StartDate', value: '11.01.2026 00:00:00' },
    { name: 'EndDate', value: '11.30.2026 23:59:59' },
  ]
  const { reportId } = (await payer.me.post('/v1/ec/reports', { id: 5, parameters })).json<{ reportId: number }>()
  await runDueJobs(context, reportJob(context))
  const { path } = (await payer.me.get(`/v1/ec/reports/status/${reportId}`)).json<{ path: string }>()
  return wordsOf((await payer.me.get(`/v1/ec/reports/blob/${path}`)).rawPayload)
}

/** The cents of one currency, whatever amounts are added. */
const cents = (amounts: readonly (number | string)[]): number =>
  amounts.reduce<number>((sum, amount) => sum + Math.round(Number(amount) * 100), 0)

test('[INV-01] [EASE-06] [PAY-01] [RPT-04] what is due and what is credit is one sum everywhere, in each currency', async () => {
  await payer.storeCard()
  const [customer] = await queryAsAdministrator<{ brand: number }>(
    context,
    "update customer set external_id = 'C1' where id = $1 returning brand_id as brand",
    [payer.customerId],
  )
  await payer.invoice({ due_on: today })
  await payer.invoice({ due_on: '2026-11-02', amount_due_minor: 3_000 })
  await payer.invoice({ status: 7, amount_due_minor: 4_000 })
  await payer.invoice({ status: 9, amount_minor: 2_500 })
  await payer.invoice({ status: 9, amount_minor: -900, amount_due_minor: 0 })
  await payer.invoice({ status: 11 })
  await payer.invoice({ currency: 'EUR', due_on: today, amount_minor: 500 })
  await payer.invoice({ currency: 'EUR', status: 9, amount_minor: -300 })
  await load(
    'invoices',
    'externalId,customer,number,netAmount,amount,amountDue,dateInvoice,dateDue,status\nN1,C1,CN-1,-20,-20,-20,2026-11-03,2026-11-30,open\n',
  )
  await load('focus', focusCsv([{ SubAccountId: 'C1', BillingCurrency: 'AUD', BilledCost: '7' }]), '--brand', String(customer?.brand))

  const all = await readListed()
  const sumsOf = (currency: string): [number, number] => {
    const own = all.filter((invoice) => invoice.currency === currency).map(({ amountDue }) => amountDue)
    return [cents(own.filter((amount) => amount > 0)), cents(own.filter((amount) => amount < 0))]
  }
  expect([sumsOf('AUD'), sumsOf('EUR')]).toEqual([
    [18_700, -2_000],
    [500, -300],
  ])

  const { invoices } = await runJsonCommand<{ invoices: { currency: string; due: string; credit: string }[] }>(
    context,
    'invoice',
    'list',
    '--customer',
    'C1',
    '--reseller',
    String(payer.resellerId),
  )
  const ofOperator = (currency: string) => invoices.filter((invoice) => invoice.currency === currency)
  expect(
    ['AUD', 'EUR'].map((currency) => [
      cents(ofOperator(currency).map(({ due }) => due)),
      cents(ofOperator(currency).map(({ credit }) => credit)),
    ]),
  ).toEqual([
    [18_700, 2_000],
    [500, 300],
  ])
  expect((await payer.me.get('/v1/ec/opening-balance')).json()).toMatchObject({ balance: 187 })

  const words = (await statement()).replace(/[\u{a0}\u{2009}\u{202f}]/gu, ' ')
  expect(words).toContain('Amount due (AUD) | $187.00 | Credit (AUD) | $20.00')
  expect(words).toContain('Amount due (EUR) | EUR 5.00 | Credit (EUR) | EUR 3.00')
  expect(words).toContain('CN-1 | 3 Nov 2026 | – | Credit note | -$20.00 | $0.00')

  // What is on its way already is not charged again.
  const { payments } = await runJsonCommand<{ payments: { amount: string }[] }>(
    context,
    'autopay',
    'run',
    '--reseller',
    String(payer.resellerId),
    '--dry-run',
  )
  expect(payments.map(({ amount }) => amount)).toEqual(['147.00', '5.00'])
})

test('[INV-05] [SP-05] a credit note is named so, has no due day, and nobody can pay it', async () => {
  const note = (await readListed()).find(({ number }) => number === 'CN-1')
  expect(note).toMatchObject({ amountDue: -20, isCredited: true, canPay: false })
  const file = await payer.me.get(`/v1/ec/invoices/${note?.id}`)
  expect(file.headers['content-disposition']).toContain('CN-1.pdf')
  const words = await wordsOf(file.rawPayload)
  expect(words).toMatch(/Credit note \| CN-1/)
  expect(words).toContain('Credit (AUD) | $20.00')
  expect(words).not.toMatch(/Invoice|Due/)

  const answer = await payer.me.post('/v1/ec/payments/intents', { invoiceIds: [note?.id] })
  expect([answer.statusCode, answer.json()]).toMatchObject([
    409,
    { code: 'already_paid', message: 'One of these is a credit note: there is nothing to pay. Please leave it out.' },
  ])
  const byLink = await payByLink(fixture, note?.id ?? 0, 'pm_card_visa')
  expect([byLink.statusCode, byLink.json().userMessage]).toEqual([409, 'This is a credit note. There is nothing to pay.'])
  const shown = await runCommand(context, 'invoice', 'show', 'CN-1', '--reseller', String(payer.resellerId))
  expect(shown.out).toContain('CN-1  credited  -20.00 AUD, a credit note, credit 20.00')
})
