import { describe, expect, test } from 'vitest'
import { attemptsOf, type FoundAttempt } from '../attempts-of.ts'
import { payByLink, type PayingCustomer, runWorker, runWorkerAfter } from '../payments-fixture.ts'
import { usePaymentsFixture } from '../use-payments.ts'
import { lookUpAttempt } from '../../../src/payments/engine/look-up.ts'
import { runCount } from './fault-context.ts'
import { linkPageOf } from './link-page.ts'
import { behavioursOf, casesOf, type ProviderCase, type Way } from './provider-cases.ts'
import { type ProviderDriver, WEBHOOK_KEY } from '../providers/provider-driver.ts'
import { addPayerAt, PROVIDER_DRIVERS } from '../providers/provider-drivers.ts'

const fixture = await usePaymentsFixture({ PAYMENT_TIMEOUT_MS: '400' })

const connect = (provider: ProviderDriver): Promise<PayingCustomer> => addPayerAt(fixture, provider)

const pay = async (provider: ProviderDriver, payer: PayingCustomer, way: Way, methodId: string, invoice: number): Promise<number> => {
  if (way === 'new card') {
    const card = await provider.cardFields(await linkPageOf(fixture, payer, invoice))
    return (await payByLink(fixture, invoice, '', { cardToken: undefined, invoiceAmount: '99.00', ...card })).statusCode
  }
  const type = way === 'card' ? 'card' : (provider.bankType ?? 'eCheck')
  return (await payer.pay(await payer.intent(invoice), { cardId: methodId, type })).statusCode
}

/** Sends a webhook of a payment; returns how it was answered. */
const sendWebhook = async (
  { name, webhook }: ProviderDriver,
  payer: PayingCustomer,
  merchantReference: string,
  { secret = WEBHOOK_KEY, isLaterEvent = false } = {},
) => {
  const event = webhook?.(merchantReference, fixture.context.clock(), secret, isLaterEvent)
  if (event === undefined) return null
  const headers = { 'content-type': 'application/json', ...event.headers }
  const url = `/hooks/${name}/${payer.resellerId}`
  return (await fixture.app.inject({ method: 'POST', url, headers, payload: event.raw })).statusCode
}

/** Cases of each way in `npm test`. The steps between them are no multiples of seven, the number of the webhooks' behaviours. */
const SHARE = 10

const WAITS_MINUTES = [6, 16, 66, 200, 800, ...Array.from({ length: 12 }, () => 1_500)]

const outcomesOf = (invoice: number): Promise<FoundAttempt[]> => attemptsOf(fixture.context, invoice)

/** The attempt as soon as it is claimed; undefined where there is none when the payment is answered. */
const begunBeforeAnswer = async (paying: Promise<unknown>, invoice: number): Promise<FoundAttempt | undefined> => {
  let isAnswered = false
  void paying.finally(() => (isAnswered = true))
  for (;;) {
    const [begun] = await outcomesOf(invoice)
    if (begun !== undefined || isAnswered) return begun
  }
}

/** What the payment and its invoice must have come to. */
const isAsCharged = (provider: ProviderDriver, { isPaid, isReturned }: ProviderCase, attempt: FoundAttempt | undefined): boolean => {
  if (isReturned) return attempt?.status === 'reversed' && attempt.invoiceStatus !== 11
  if (isPaid) return attempt?.status === 'succeeded' && attempt.invoiceStatus === 11
  const unpaid = ['declined', 'not_sent', 'expired', ...(provider.leavesToOperator ? ['manual'] : [])]
  return attempt === undefined || (unpaid.includes(attempt.status) && attempt.invoiceStatus !== 11)
}

interface Setting {
  readonly provider: ProviderDriver
  readonly payer: PayingCustomer
  readonly way: Way
  /** The stored method that pays. */
  readonly methodId: string
}

/** What is wrong after a charge to which the provider and its webhooks behaved so; undefined when nothing is. */
const problemAfter = async ({ provider, payer, way, methodId }: Setting, one: ProviderCase) => {
  fixture.advanceToNow()
  fixture.context.advance(1_000)
  await provider.setClock?.(fixture.sandbox, fixture.context.clock())
  const { kind, booked, webhooks, bank } = one
  // Authorize.net's sandbox approves debits up to a hundred.
  const invoice = await payer.invoice({ currency: provider.currency, net_minor: 9_000, amount_minor: 9_900, amount_due_minor: 9_900 })
  if (kind !== 'none') await fixture.sandbox.fault({ provider: provider.name, operation: 'charge', kind, booked, ms: 900 })
  const answers: (number | null)[] = []
  const send = async (merchantReference: string, more?: Parameters<typeof sendWebhook>[3]) =>
    answers.push(await sendWebhook(provider, payer, merchantReference, more))
  const paying = pay(provider, payer, way, methodId, invoice)
  if (webhooks === 'before the answer') {
    const early = await begunBeforeAnswer(paying, invoice)
    if (early !== undefined) await send(early.merchantReference)
    await runWorker(fixture)
  }
  const code = await paying
  const merchantReference = (await outcomesOf(invoice))[0]?.merchantReference
  if (merchantReference !== undefined && webhooks === 'once') await send(merchantReference)
  if (merchantReference !== undefined && webhooks === 'twice at once') await Promise.all([send(merchantReference), send(merchantReference)])
  if (merchantReference !== undefined && webhooks === 'forged') await send(merchantReference, { secret: 'B'.repeat(128) })
  if (merchantReference !== undefined && webhooks === 'out of order') {
    await send(merchantReference, { isLaterEvent: true })
    await send(merchantReference)
  }
  // The stand-ins keep real time, so that what they settle lies before what an advanced clock has sent: it is looked up first.
  await runWorkerAfter(fixture, 3 * 60_000)
  if (way === 'bank' && merchantReference !== undefined)
    await fixture.sandbox
      .settlePayment(provider.name, merchantReference, bank === 'fails later' ? 'failed' : 'succeeded')
      .catch(() => undefined)
  for (const minutes of WAITS_MINUTES) await runWorkerAfter(fixture, minutes * 60_000)
  if (merchantReference !== undefined && webhooks === 'days late') await send(merchantReference)
  await runWorkerAfter(fixture, 60_000)
  const [settled] = await outcomesOf(invoice)
  if (one.isReturned && settled !== undefined) {
    await fixture.sandbox.settlePayment(provider.name, settled.merchantReference, 'returned')
    // The lists by which returns are found have tests of their own, because they are of real days.
    await lookUpAttempt(fixture.payments, { ...payer, id: settled.id }, 'sweep')
  }
  const [attempt, ...more] = await outcomesOf(invoice)
  const areAnswered = answers.every((answer) => answer === (webhooks === 'forged' && provider.hasUnsignedWebhooks !== true ? 401 : 200))
  const charges = (await fixture.sandbox.ledger()).filter(
    ({ reference, status }) => reference === attempt?.merchantReference && status === 'succeeded',
  )
  const isRight =
    charges.length === Number(one.isPaid && !one.isReturned) &&
    more.length === 0 &&
    areAnswered &&
    (!one.isReturned || settled?.status === 'succeeded') &&
    isAsCharged(provider, one, attempt)
  return isRight ? undefined : { ...one, answers, code, charges: charges.length, before: settled?.status, ...attempt }
}

describe.each(PROVIDER_DRIVERS.filter(({ store }) => store.card !== undefined))('$name', (provider) => {
  const ways: Way[] = ['new card', ...(['card', 'bank'] as const).filter((kind) => provider.store[kind] !== undefined)]

  test.each(ways)(
    `[PAY-01] ${provider.name}: whatever it answers to a charge, by %s: never twice, never lost, never stuck`,
    async (way) => {
      const payer = await connect(provider)
      const stored = way === 'new card' ? undefined : await provider.store[way]?.(payer, fixture.sandbox)
      if (stored !== undefined) expect(stored.json(), stored.body).toMatchObject({ status: 'succeeded' })
      const setting = { provider, payer, way, methodId: String(stored?.json().id ?? '') }
      const problems: object[] = []
      const cases = casesOf(behavioursOf(way, provider), provider.webhook !== undefined, {
        share: runCount(SHARE, 33),
        first: ways.indexOf(way),
      })
      for (const one of cases) {
        const problem = await problemAfter(setting, one)
        if (problem !== undefined) problems.push(problem)
      }
      console.log(`${provider.name}, ${way}: ${cases.length} cases`)
      expect(problems).toEqual([])
    },
    3_600_000,
  )
})
