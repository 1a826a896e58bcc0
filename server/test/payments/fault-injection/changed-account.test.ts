import { describe, expect, test } from 'vitest'
import { deleteUnusedCredentials } from '../../../src/payments/reconciliation/former-accounts.ts'
import { findProvider } from '../../../src/payments/providers/registry.ts'
import { processWebhookEvents } from '../../support/jobs.ts'
import { queryAsAdministrator } from '../../support/people.ts'
import { attemptsOf, type FoundAttempt } from '../attempts-of.ts'
import { type CommandOutput, runPaymentsCommand } from '../payment-commands.ts'
import { payByLink, type PayingCustomer, runWorkerAfter } from '../payments-fixture.ts'
import { usePaymentsFixture } from '../use-payments.ts'
import { linkPageOf } from './link-page.ts'
import { type ProviderDriver, WEBHOOK_KEY } from '../providers/provider-driver.ts'
import { addPayerAt, findDriver } from '../providers/provider-drivers.ts'

const fixture = await usePaymentsFixture({ PAYMENT_TIMEOUT_MS: '400' })

const query = <Row extends object>(statement: string, values: unknown[] = []) =>
  queryAsAdministrator<Row>(fixture.context, statement, values)

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const connect = async (provider: ProviderDriver): Promise<PayingCustomer> => {
  fixture.advanceToNow()
  const payer = await addPayerAt(fixture, provider, { customer_permission_for_charging: false })
  await provider.setClock?.(fixture.sandbox, fixture.context.clock())
  return payer
}

/** Sets credentials as an operator does. */
const set = (payer: PayingCustomer, credentials: object, options: object = {}): Promise<CommandOutput> =>
  runPaymentsCommand(
    fixture.context,
    'reseller payments set',
    [String(payer.resellerId)],
    { credentials: '-', json: true, ...options },
    { '-': JSON.stringify(credentials) },
  )

/** The credentials of another account of the same company, whose webhooks have a secret of their own. */
const otherAccount = (provider: ProviderDriver, { resellerId }: PayingCustomer): object => ({
  ...provider.settings(500_000 + resellerId),
  ...(provider.name === 'authorize' || provider.name === 'pinch' || provider.name === 'nexio' ? { webhookSecrets: ['C4'.repeat(64)] } : {}),
})

const moveToOtherAccount = async (provider: ProviderDriver, payer: PayingCustomer): Promise<void> => {
  const moved = await set(payer, otherAccount(provider, payer), { yes: true })
  expect([moved.code, moved.err]).toEqual([0, []])
}

const payNewCard = async (provider: ProviderDriver, payer: PayingCustomer, invoice: number) => {
  const card = await provider.cardFields(await linkPageOf(fixture, payer, invoice))
  return payByLink(fixture, invoice, '', { cardToken: undefined, invoiceAmount: '99.00', ...card })
}

/** Charges a card at the account in use; the money moves, and the answer is lost. @returns the invoice */
const chargeWithoutAnswer = async (provider: ProviderDriver, payer: PayingCustomer): Promise<number> => {
  // Authorize.net's sandbox approves amounts up to a hundred.
  const invoice = await payer.invoice({ currency: provider.currency, net_minor: 9_000, amount_minor: 9_900, amount_due_minor: 9_900 })
  await fixture.sandbox.fault({ provider: provider.name, operation: 'charge', kind: 'drop', booked: true })
  await payNewCard(provider, payer, invoice)
  expect(await attemptOf(invoice)).toMatchObject({ status: 'unknown' })
  return invoice
}

const attemptOf = async (invoice: number): Promise<FoundAttempt> => {
  const [attempt, ...more] = await attemptsOf(fixture.context, invoice)
  if (attempt === undefined || more.length > 0) throw new Error(`${more.length} attempts too many`)
  return attempt
}

const chargesOf = async ({ merchantReference }: FoundAttempt): Promise<number> =>
  (await fixture.sandbox.bookedOf(merchantReference)).filter(([status]) => status === 'succeeded').length

/** The accounts of a reseller at a provider, the first one first. */
const accountsOf = ({ resellerId }: PayingCustomer, provider: ProviderDriver) =>
  query<{ id: number; isInUse: boolean; isSealed: boolean }>(
    `select id::int, replaced_at is null as "isInUse", sealed is not null as "isSealed" from payment_account
     where reseller_id = $1 and provider = $2 order by id`,
    [resellerId, provider.name],
  )

/** Lets all look-ups run until finding nothing would be final everywhere. */
const passTwoDays = async (): Promise<void> => {
  for (const minutes of [6, 16, 66, 200, 800, 1_500, 1_500]) await runWorkerAfter(fixture, minutes * MINUTE_MS)
}

describe.each(['authorize', 'pinch', 'nexio', 'ippay', 'bpoint'].map((name) => findDriver(name)))('$name', (provider) => {
  test(`[PAY-01] [OPS-03] ${provider.name}: a charge whose answer was lost is found where it was made, whatever account is used since`, async () => {
    const payer = await connect(provider)
    const invoice = await chargeWithoutAnswer(provider, payer)
    const asked = await set(payer, otherAccount(provider, payer))
    expect([asked.code, asked.err.join(' ')]).toEqual([
      3,
      expect.stringContaining('1 payment there is not final. It is looked up there until it is'),
    ])
    expect(await accountsOf(payer, provider)).toMatchObject([{ isInUse: true }])
    const moved = await set(payer, otherAccount(provider, payer), { yes: true })
    const [former, inUse] = await accountsOf(payer, provider)
    expect([former, inUse]).toMatchObject([{ isInUse: false, isSealed: true }, { isInUse: true }])
    expect(moved.json()).toMatchObject({
      left: { account: former?.id, livePayments: 1 },
      formerAccounts: [{ id: former?.id, provider: provider.name, livePayments: 1, deletedAt: null }],
    })
    const forget = () => runPaymentsCommand(fixture.context, 'reseller payments forget', [String(payer.resellerId), String(former?.id)])
    expect((await forget()).err.join()).toContain('1 payment at account')

    await passTwoDays()
    const attempt = await attemptOf(invoice)
    expect(attempt).toMatchObject({ status: 'succeeded', invoiceStatus: 11, accountId: former?.id })
    expect(await payer.readInvoice(invoice)).toMatchObject({ amountDue: 0, canPay: false })
    expect(await chargesOf(attempt)).toBe(1)

    const compared = await runPaymentsCommand(fixture.context, 'payments reconcile', [], { reseller: String(payer.resellerId), json: true })
    const lists = compared.json<{ reconciled: ({ provider: string; accountId: number; theirs: number } & Record<'drifts', object[]>)[] }>()
    const listed = lists.reconciled.filter((list) => list.provider === provider.name)
    expect(listed).toMatchObject([
      { accountId: inUse?.id, theirs: 0 },
      { accountId: former?.id, theirs: 1 },
    ])
    expect(listed.flatMap((list) => list.drifts)).toEqual([])
    const refunded = await runPaymentsCommand(fixture.context, 'payments refund', [attempt.id], { yes: true, json: true })
    expect([refunded.code, refunded.err]).toEqual([0, []])
    expect((await forget()).code).toBe(0)
    expect((await accountsOf(payer, provider))[0]).toMatchObject({ isSealed: false })
  })

  test(`[PAY-01] ${provider.name}: another key of the same account takes its place, and earlier payments are looked up with it`, async () => {
    const payer = await connect(provider)
    const invoice = await chargeWithoutAnswer(provider, payer)
    const [before] = await accountsOf(payer, provider)
    const secret =
      { authorize: 'transactionKey', pinch: 'secretKey', nexio: 'password', ippay: 'reportPassword', bpoint: 'password' }[provider.name] ??
      ''
    const rotated = await set(payer, { [secret]: 'another-key' })
    expect([rotated.code, rotated.err, rotated.json()]).toEqual([0, [], expect.objectContaining({ formerAccounts: [] })])
    expect(await accountsOf(payer, provider)).toEqual([before])
    await passTwoDays()
    expect(await attemptOf(invoice)).toMatchObject({ status: 'succeeded', invoiceStatus: 11 })
  })

  test(`[PM-09] [PAY-01] ${provider.name}: a stored card belongs to its account: it is neither shown nor charged elsewhere, and is back with it`, async () => {
    const payer = await connect(provider)
    const store = async () => String((await provider.store.card?.(payer, fixture.sandbox))?.json().id)
    const path = `/v1/ec/${findProvider(provider.name)?.storing.pathFamily}/cards`
    const listed = async () =>
      (await payer.me.get(path)).json<{ id: string; isDefault: boolean }[]>().map(({ id, isDefault }) => [id, isDefault])
    const first = await store()
    expect(await listed()).toEqual([[first, true]])
    await moveToOtherAccount(provider, payer)
    expect(await listed()).toEqual([])
    const invoice = await payer.invoice({ currency: provider.currency, due_on: '2020-01-01' })
    expect((await payer.pay(await payer.intent(invoice), { cardId: first, type: 'card' })).statusCode).toBe(404)
    expect((await payer.me.remove(`${path}/${first}`)).statusCode).toBe(404)
    const autopay = await runPaymentsCommand(fixture.context, 'autopay run', [], { reseller: String(payer.resellerId), json: true })
    expect(autopay.json()).toMatchObject({ payments: [{ outcome: 'skipped', reason: 'no default method' }] })
    const back = await set(payer, provider.settings(payer.resellerId))
    expect([back.code, back.err]).toEqual([0, []])
    expect(await listed()).toEqual([[first, true]])
    expect(await accountsOf(payer, provider)).toMatchObject([{ isInUse: true }, { isInUse: false }])
  })
})

describe.each(['authorize', 'pinch', 'nexio'].map((name) => findDriver(name)))('$name', (provider) => {
  test(`[PAY-01] ${provider.name}: a webhook that a former account signs is about its own payments, and is believed`, async () => {
    const payer = await connect(provider)
    const invoice = await chargeWithoutAnswer(provider, payer)
    await moveToOtherAccount(provider, payer)
    const { merchantReference } = await attemptOf(invoice)
    const send = async (secret: string): Promise<number> => {
      const event = provider.webhook?.(merchantReference, fixture.context.clock(), secret, false)
      const headers = { 'content-type': 'application/json', ...event?.headers }
      const url = `/hooks/${provider.name}/${payer.resellerId}`
      return (await fixture.app.inject({ method: 'POST', url, headers, payload: event?.raw ?? '' })).statusCode
    }
    fixture.context.advance(5 * MINUTE_MS)
    expect(await send('B'.repeat(128))).toBe(401)
    // Signed by the account in use, which has no such payment.
    expect(await send('C4'.repeat(64))).toBe(200)
    await processWebhookEvents(fixture.payments)
    expect(await attemptOf(invoice)).toMatchObject({ status: 'unknown' })
    await query('delete from payment_webhook_event where reseller_id = $1', [payer.resellerId])
    expect(await send(WEBHOOK_KEY)).toBe(200)
    const [event] = await query<{ accounts: string[] }>(
      'select account_ids::text[] as accounts from payment_webhook_event where reseller_id = $1',
      [payer.resellerId],
    )
    expect(event?.accounts).toEqual([String((await attemptOf(invoice)).accountId)])
    await processWebhookEvents(fixture.payments)
    expect(await attemptOf(invoice)).toMatchObject({ status: 'succeeded', invoiceStatus: 11 })
  })
})

test('[PAY-01] another company is used since, and a payment at the former one is still found there', async () => {
  const provider = findDriver('authorize')
  const payer = await connect(provider)
  const invoice = await chargeWithoutAnswer(provider, payer)
  const reseller = [String(payer.resellerId)]
  const change = (type: string, more = {}) =>
    runPaymentsCommand(fixture.context, 'reseller payments set', reseller, { type, json: true, ...more })
  expect(await change('stripe')).toMatchObject({ code: 3 })
  expect((await change('stripe', { yes: true })).json()).toMatchObject({
    provider: 'stripe',
    left: { provider: 'authorize', livePayments: 1 },
  })
  await passTwoDays()
  expect(await attemptOf(invoice)).toMatchObject({ status: 'succeeded', invoiceStatus: 11 })
  expect((await change('authorize')).json()).toMatchObject({ provider: 'authorize', hasCredentials: true })
})

test('[OPS-03] the credentials of a former account are deleted when its payments are final and compared, and not before', async () => {
  const provider = findDriver('nexio')
  const payer = await connect(provider)
  const invoice = await chargeWithoutAnswer(provider, payer)
  await moveToOtherAccount(provider, payer)
  const isKept = async () => {
    await deleteUnusedCredentials(fixture.payments)
    return (await accountsOf(payer, provider)).map(({ isSealed }) => isSealed)
  }
  fixture.context.advance(50 * DAY_MS)
  expect(await isKept()).toEqual([true, true])
  await query("update payment_attempt set status = 'declined', next_check_at = null, resolved_at = $2 where id = $1", [
    (await attemptOf(invoice)).id,
    fixture.context.clock(),
  ])
  expect(await isKept()).toEqual([true, true])
  fixture.context.advance(39 * DAY_MS)
  expect(await isKept()).toEqual([false, true])
  await set(payer, provider.settings(payer.resellerId))
  expect(await accountsOf(payer, provider)).toMatchObject([
    { isInUse: true, isSealed: true },
    { isInUse: false, isSealed: true },
  ])
})
