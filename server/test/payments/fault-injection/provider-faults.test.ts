import { describe, expect, test } from 'vitest'
import { queryAsAdministrator } from '../../support/people.ts'
import { addPayingCustomer, payByLink, type PayingCustomer, runWorkerAfter } from '../payments-fixture.ts'
import { usePaymentsFixture } from '../use-payments.ts'
import { linkPageOf } from './link-page.ts'
import { connectWireProvider, WEBHOOK_KEY, WIRE_PROVIDERS, type WireProvider } from './wire-provider.ts'

const fixture = await usePaymentsFixture({ PAYMENT_TIMEOUT_MS: '400' })

/** What the stand-in does with the charge, and whether the money moved. */
const BEHAVIOURS = [
  { kind: 'none', booked: true },
  { kind: 'decline', booked: false },
  ...['slow', 'error', 'drop', 'garbage'].flatMap((kind) => [
    { kind, booked: true },
    { kind, booked: false },
  ]),
  { kind: 'wrong-amount', booked: true },
  { kind: 'refuse', booked: false },
] as const

/** How its webhooks behave. */
const WEBHOOKS = ['none', 'twice at once', 'forged', 'days late'] as const

type Way = 'new card' | 'card' | 'bank'

const connect = async (provider: WireProvider): Promise<PayingCustomer> => {
  const { type: payment_type, currency } = provider
  const payer = await addPayingCustomer(fixture, { payment_type, currency, payment_raw_card: true })
  await connectWireProvider(fixture.context, fixture.sandbox, provider, payer.resellerId)
  return payer
}

const pay = async (provider: WireProvider, payer: PayingCustomer, way: Way, methodId: string, invoice: number): Promise<number> => {
  if (way === 'new card') {
    const card = await provider.cardFields(await linkPageOf(fixture, payer, invoice))
    return (await payByLink(fixture, invoice, '', { cardToken: undefined, invoiceAmount: '99.00', ...card })).statusCode
  }
  const type = way === 'card' ? 'card' : (provider.bankType ?? 'eCheck')
  return (await payer.pay(await payer.intent(invoice), { cardId: methodId, type })).statusCode
}

/** Sends the webhook of a payment; returns how it was answered. */
const sendWebhook = async ({ name, webhook }: WireProvider, payer: PayingCustomer, ourRef: string, secret = WEBHOOK_KEY) => {
  const event = webhook?.(ourRef, fixture.context.clock(), secret)
  if (event === undefined) return null
  const headers = { 'content-type': 'application/json', ...event.headers }
  const url = `/hooks/${name}/${payer.resellerId}`
  return (await fixture.app.inject({ method: 'POST', url, headers, payload: event.raw })).statusCode
}

/** Settles a debit at the bank, so that it does not stay on its way. */
const settleAtBank = async (provider: string, reference: string): Promise<void> => {
  const entry = (await fixture.sandbox.ledger()).find((one) => one.provider === provider && one.reference === reference)
  const body = JSON.stringify({ provider, id: entry?.id ?? '', outcome: 'succeeded' })
  await fetch(`${fixture.sandbox.url}/settle`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

const WAITS_MINUTES = [6, 16, 66, 200, 800, ...Array.from({ length: 12 }, () => 1_500)]

interface Outcome {
  readonly ourRef: string
  readonly status: string
  readonly invoiceStatus: number
}

const outcomesOf = (invoice: number): Promise<Outcome[]> =>
  queryAsAdministrator<Outcome>(
    fixture.context,
    `select a.our_ref as "ourRef", a.status, v.status::int as "invoiceStatus" from payment_attempt_item i
     join payment_attempt a on a.customer_id = i.customer_id and a.id = i.attempt_id join invoice v on v.id = i.invoice_id where v.id = $1`,
    [invoice],
  )

/** What is wrong after a charge to which the provider and its webhooks behaved so; undefined when nothing is. */
const problemAfter = async (
  provider: WireProvider,
  payer: PayingCustomer,
  way: Way,
  methodId: string,
  behaviour: (typeof BEHAVIOURS)[number],
  webhooks: (typeof WEBHOOKS)[number],
) => {
  fixture.advanceToNow()
  fixture.context.advance(1_000)
  await provider.setClock?.(fixture.sandbox, fixture.context.clock())
  const { kind, booked } = behaviour
  // Authorize.net's sandbox approves debits up to a hundred.
  const invoice = await payer.invoice({ currency: provider.currency, net_minor: 9_000, amount_minor: 9_900, amount_due_minor: 9_900 })
  if (kind !== 'none') await fixture.sandbox.fault({ provider: provider.name, operation: 'charge', kind, booked, ms: 900 })
  const code = await pay(provider, payer, way, methodId, invoice)
  const [begun] = await outcomesOf(invoice)
  const answers: (number | null)[] = []
  const send = async (secret?: string) => answers.push(await sendWebhook(provider, payer, begun?.ourRef ?? '', secret))
  if (begun !== undefined && webhooks === 'twice at once') await Promise.all([send(), send()])
  if (begun !== undefined && webhooks === 'forged') await send('B'.repeat(128))
  // The stand-ins keep real time, so that what they settle lies before what an advanced clock has sent: it is looked up first.
  await runWorkerAfter(fixture, 3 * 60_000)
  const [sent] = await outcomesOf(invoice)
  if (way === 'bank' && sent !== undefined) await settleAtBank(provider.name, sent.ourRef)
  for (const minutes of WAITS_MINUTES) await runWorkerAfter(fixture, minutes * 60_000)
  if (begun !== undefined && webhooks === 'days late') await send()
  await runWorkerAfter(fixture, 60_000)
  const [attempt, ...more] = await outcomesOf(invoice)
  const areAnswered = answers.every((answer) => answer === (webhooks === 'forged' && provider.hasUnsignedWebhooks !== true ? 401 : 200))
  const charges = (await fixture.sandbox.ledger()).filter(
    ({ reference, status }) => reference === attempt?.ourRef && status === 'succeeded',
  )
  const isCharged = charges.length > 0
  const unpaid = ['declined', 'not_sent', 'expired', ...(provider.leavesToOperator ? ['manual'] : [])]
  const isRight =
    charges.length <= 1 &&
    more.length === 0 &&
    areAnswered &&
    isCharged === (booked && kind !== 'decline') &&
    (isCharged
      ? attempt?.status === 'succeeded' && attempt.invoiceStatus === 11
      : attempt === undefined || (unpaid.includes(attempt.status) && attempt.invoiceStatus !== 11))
  return isRight ? undefined : { kind, booked, webhooks, answers, code, charges: charges.length, ...attempt }
}

describe.each(WIRE_PROVIDERS.filter(({ store }) => store.card !== undefined))('$name', (provider) => {
  const ways: Way[] = ['new card', ...(['card', 'bank'] as const).filter((kind) => provider.store[kind] !== undefined)]

  test.each(ways)(
    `[PAY-01] ${provider.name}: whatever it answers to a charge, by %s: never twice, never lost, never stuck`,
    async (way) => {
      const payer = await connect(provider)
      const stored = way === 'new card' ? undefined : await provider.store[way]?.(payer, fixture.sandbox)
      if (stored !== undefined) expect(stored.json(), stored.body).toMatchObject({ status: 'succeeded' })
      const problems: object[] = []
      const methodId = String(stored?.json().id ?? '')
      for (const behaviour of BEHAVIOURS)
        for (const webhooks of provider.webhook === undefined ? (['none'] as const) : WEBHOOKS) {
          const problem = await problemAfter(provider, payer, way, methodId, behaviour, webhooks)
          if (problem !== undefined) problems.push(problem)
        }
      expect(problems).toEqual([])
    },
  )
})
