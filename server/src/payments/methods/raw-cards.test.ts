import { Writable } from 'node:stream'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openLog } from '../../kit/log.ts'
import { SealedText } from '../../kit/sealed-text.ts'
import { type Answer, clientFor, sendRequest, signInAs, type TestSession } from '../../../test/support/http-client.ts'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addTenant, addInvoice, queryAsAdministrator } from '../../../test/support/people.ts'
import { paymentLinkOf } from '../../../test/payments/payments-fixture.ts'
import { saveAccount } from '../accounts/accounts.ts'
import type { ChargeResult } from '../providers/charge-result.ts'
import type { SentOrder } from '../providers/order.ts'
import type { PaymentProvider, ProviderOf } from '../providers/provider.ts'
import type { NewCard } from '../providers/method.ts'
import { sweepAttempts } from '../engine/sweep.ts'
import { redactResult } from '../providers/raw-card.rules.ts'

interface TypedCard {
  readonly number: string
  readonly expiry: string
  readonly code: string
}

/** A provider that accepts card numbers, and never the same order twice. */
const orders: (TypedCard & { readonly merchantReference: string })[] = []
const lookedUp: SentOrder[] = []
let beside: object = {}
let isSilent = false
/** What the provider answers instead of success. */
let says: ((card: TypedCard) => ChargeResult) | null = null

const toTypedCard = ({ typedMethod }: NewCard): TypedCard => {
  if (typedMethod.kind !== 'card') throw new Error('this is no card number')
  const { number, expMonth, expYear, securityCode } = typedMethod.card
  return { number: number.open(), expiry: `${expYear}-${expMonth}`, code: securityCode?.open() ?? '' }
}

const vault: ProviderOf<{ secret: string }> = {
  name: 'moneris',
  reviewText: 'At its desk.',
  account: { settings: Type.Object({ secret: Type.String() }), identifyingSettings: ['secret'], liveHosts: /^vault\.example$/ },
  idempotency: 'never',
  notFoundMeansUnpaidAfterMs: null,
  reference: { alphabet: 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789', length: 18 },
  entry: { accepts: ['token', 'card'] },
  storing: {
    pathFamily: 'payments',
    store: async () => ({ state: 'unknown', detail: 'nothing is stored here' }),
    remove: async () => undefined,
  },
  prepareStoredMethodCharge: async () => ({ state: 'not_sent', detail: 'nothing is stored here' }),
  prepareNewCardCharge: async (_context, { merchantReference, amount }, card) => ({
    providerRef: null,
    submit: async (): Promise<ChargeResult> => {
      orders.push({ ...toTypedCard(card), merchantReference })
      const { typedMethod: _, ...typedBeside } = card
      beside = typedBeside
      if (isSilent) throw new Error(`no answer to ${JSON.stringify(card)} ${Object.values(toTypedCard(card)).join(', ')}`)
      if (says !== null) return says(toTypedCard(card))
      return { state: 'succeeded', providerRef: `ref ${merchantReference}`, amount, refunded: 0n, reversed: 0n }
    },
  }),
  lookUp: async (_context, order) => {
    lookedUp.push(order)
    return { state: 'succeeded', providerRef: `ref ${order.merchantReference}`, amount: order.amount, refunded: 0n, reversed: 0n }
  },
  redact: (transcript) => transcript,
}

const logged: string[] = []
const providers = (name: string): PaymentProvider | undefined => (name === 'moneris' ? (vault as PaymentProvider) : undefined)

let context: TestContext
let app: Awaited<ReturnType<TestContext['app']>>
let tenant: Awaited<ReturnType<typeof addTenant>>
let session: TestSession

beforeAll(async () => {
  const log = openLog('trace', new Writable({ write: (line: Buffer, _coding, done) => done(void logged.push(line.toString())) }))
  context = await testContext({}, { providers, log })
  app = await context.app()
  tenant = await addTenant(context, { reseller: { name: 'Maple', payment_type: 5, payments_enabled: true, payments_bulk: true } })
  const { resellerId } = tenant
  await saveAccount(
    { ...context, providers },
    { resellerId, provider: 'moneris', baseUrl: 'http://127.0.0.1:1', settings: { secret: 'x' } },
  )
  session = await signInAs(app, tenant.person)
})
afterAll(() => context.close())
beforeEach(() => {
  orders.length = 0
  lookedUp.length = 0
  isSilent = false
  says = null
})

const NUMBER = '4539578763621486'
const CARD = { cardNumber: NUMBER, expirationDate: '2031-12', cardCode: '739', cardHolder: 'Ada Payer' }

const setRawCard = (to: string) => runPaymentsCommand(context, 'reseller payments set', ['Maple'], { rawCard: to, json: true })

const byLink = async (card: object, headers: Record<string, string> = {}, invoice?: number): Promise<Answer> => {
  const { token, number } = await paymentLinkOf(context, invoice ?? (await addInvoice(context, tenant.resellerId, tenant.customerId)))
  const payload = { uid: token, invoiceNumber: number, invoiceAmount: '110.00', ...card }
  return sendRequest(app, { method: 'POST', url: '/v1/ec/pay', payload, headers })
}

const inBulk = async (card: object): Promise<Answer> => {
  const invoiceIds = [await addInvoice(context, tenant.resellerId, tenant.customerId)]
  const me = clientFor(app, session, tenant.customerId)
  const { id: uid } = (await me.post('/v1/ec/payments/intents', { invoiceIds })).json<{ id: string }>()
  return me.post('/v1/ec/payments/pay/bulk', { uid, type: 'card', ...card })
}

test('[PAY-01] [OPS-03] a card’s number is refused until the operator’s switch is on, and again when it is off', async () => {
  for (const pay of [byLink, inBulk]) {
    const refused = await pay(CARD)
    expect([refused.statusCode, refused.body]).toEqual([
      400,
      expect.stringContaining('Send the token of the card, not its number or code.'),
    ])
  }
  expect((await setRawCard('on')).json()).toMatchObject({ rawCard: true })
  expect((await byLink(CARD)).json()).toMatchObject({ status: 'succeeded' })
  expect((await setRawCard('off')).json()).toMatchObject({ rawCard: false })
  expect((await byLink(CARD)).statusCode).toBe(400)
  expect(orders).toHaveLength(1)
})

test('[PAY-01] [SP-03] [BP-03] the provider gets the card as it was typed, by link and in bulk, and the invoices are paid', async () => {
  await setRawCard('on')
  expect((await byLink({ ...CARD, cardNumber: '4539 5787 6362 1486' })).json()).toMatchObject({ status: 'succeeded', intentStatus: 3 })
  const bulk = { cardNumber: '3782-822463-10005', expirationDate: '12 / 31', cvc: '7391', cardHolder: 'Ada Payer' }
  expect((await inBulk(bulk)).json()).toMatchObject({ status: 'succeeded', intentStatus: 3 })
  expect(orders).toEqual([
    expect.objectContaining({ number: NUMBER, expiry: '2031-12', code: '739' }),
    expect.objectContaining({ number: '378282246310005', expiry: '2031-12', code: '7391' }),
  ])
})

test.each([
  [{ cardNumber: '' }, 'body.cardNumber'],
  [{ cardNumber: '4539578763621487' }, 'body.cardNumber'],
  [{ cardNumber: '٤539578763621486' }, 'body.cardNumber'],
  [{ cardNumber: '4'.repeat(1_024) }, 'body.cardNumber'],
  [{ cardNumber: '0000000000000000' }, 'body.cardNumber'],
  [{ expirationDate: '' }, 'body.expirationDate'],
  [{ expirationDate: '2031-13' }, 'body.expirationDate'],
  [{ expirationDate: '2026-10' }, 'body.expirationDate'],
  [{ expirationDate: '2071-01' }, 'body.expirationDate'],
  [{ expirationDate: '1 / 31' }, 'body.expirationDate'],
  [{ cardCode: '' }, 'body.cvc'],
  [{ cardCode: '12' }, 'body.cardCode'],
  [{ cardCode: '1234' }, 'body.cardCode'],
  [{ cardCode: '１２３' }, 'body.cardCode'],
  [{ cardNumber: '378282246310005' }, 'body.cardCode'],
  [{ cardHolder: NUMBER }, 'body.cardHolder'],
] as const)('[SP-02] a raw card that cannot be right is refused at its field, and goes nowhere: %j', async (change, field) => {
  await setRawCard('on')
  const refused = await byLink({ ...CARD, ...change })
  expect([refused.statusCode, refused.json()]).toEqual([
    400,
    expect.objectContaining({ errors: [expect.objectContaining({ path: field })] }),
  ])
  expect(orders).toEqual([])
})

test('[BP-03] a card number beside a stored method or a token is refused', async () => {
  await setRawCard('on')
  const stored = await inBulk({ ...CARD, cardId: '00000000-0000-4000-8000-000000000000' })
  expect([stored.statusCode, stored.json()]).toEqual([
    400,
    expect.objectContaining({ errors: [expect.objectContaining({ path: 'body.cardNumber' })] }),
  ])
  expect((await byLink({ ...CARD, cardToken: 'a token' })).statusCode).toBe(400)
  expect(orders).toEqual([])
})

test('[SP-03] the provider gets what was typed beside the card, with the company of the billing address', async () => {
  await setRawCard('on')
  const billingAddress = { address: '1 Quay Street', city: 'Sydney', state: 'NSW', zip: '2000', country: 'AU', company: ' Nimbus Ltd ' }
  expect((await byLink({ ...CARD, billingAddress })).statusCode).toBe(200)
  const address = { line1: '1 Quay Street', city: 'Sydney', state: 'NSW', postalCode: '2000', country: 'AU' }
  expect(beside).toEqual({ holder: 'Ada Payer', address, legalName: 'Nimbus Ltd' })
  const misplaced = await byLink({ ...CARD, billingAddress: { ...billingAddress, company: NUMBER } })
  expect(misplaced.json()).toMatchObject({ errors: [{ path: 'body.billingAddress.company' }] })
})

test('[PAY-01] a raw card without an answer is looked up and never sent again, whoever asks', async () => {
  await setRawCard('on')
  isSilent = true
  const invoice = await addInvoice(context, tenant.resellerId, tenant.customerId)
  const key = { 'idempotency-key': 'the press of one button' }
  expect((await byLink(CARD, key, invoice)).json()).toMatchObject({ status: 'processing' })
  const retyped = { ...CARD, cardNumber: '4539 5787 6362 1486', expirationDate: '12 / 31' }
  expect((await byLink(retyped, key, invoice)).json()).toMatchObject({ status: 'processing' })
  context.advance(120_000)
  await sweepAttempts({ ...context, providers, onMailQueued: () => undefined })
  expect((await byLink(CARD, key, invoice)).json()).toMatchObject({ status: 'succeeded', intentStatus: 3 })
  expect(orders).toHaveLength(1)
})

test('[PAY-01] a provider knows an attempt by a reference in its own form, and a look-up brings the whole order', async () => {
  await setRawCard('on')
  isSilent = true
  expect((await byLink(CARD)).json()).toMatchObject({ status: 'processing' })
  const sentAt = context.clock()
  context.advance(120_000)
  await sweepAttempts({ ...context, providers, onMailQueued: () => undefined })
  const merchantReference = expect.stringMatching(/^[A-HJ-NP-Z2-9]{18}$/) as string
  expect(orders).toMatchObject([{ merchantReference }])
  const amount = { minor: 11_000n, currency: 'AUD' }
  expect(lookedUp).toEqual([
    { merchantReference: orders[0]?.merchantReference, providerRef: null, amount, methodType: 'card', method: null, sentAt, refunded: 0n },
  ])
})

test('[PAY-01] nothing of a raw card stays: not in the database, not in the log, and its code nowhere', async () => {
  await setRawCard('on')
  isSilent = true
  await byLink(CARD)
  isSilent = false
  says = ({ number, code }) => ({ state: 'unknown', detail: `the vault choked on ${number} and ${code}` })
  await byLink(CARD)
  says = ({ number, code }) => ({
    state: 'declined',
    reason: 'incorrect_cvc',
    userMessage: `${code} is wrong.`,
    providerCode: `cvv ${code} ${number}`,
  })
  expect((await byLink(CARD)).json()).toMatchObject({ userMessage: '[code] is wrong.' })
  await byLink({ ...CARD, cardCode: '12' })
  await setRawCard('off')
  await inBulk(CARD)
  const tables = await queryAsAdministrator<{ name: string }>(
    context,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  expect(tables.length).toBeGreaterThan(20)
  for (const { name } of tables)
    expect(
      await queryAsAdministrator(
        context,
        `select 1 from ${name} t where t::text like '%${NUMBER}%' or t::text ~ '[(," ]739[)," ]' limit 1`,
      ),
      name,
    ).toEqual([])
  expect(logged.join('\n')).toContain('a charge failed')
  expect(logged.join('\n')).not.toMatch(new RegExp(`${NUMBER}|[" ]739\\b`))
})

test('[PAY-01] of a decline every text is without the card, also what the provider says to operators', () => {
  const raw = { number: new SealedText(NUMBER), expMonth: 12, expYear: 2031, securityCode: new SealedText('739') }
  const text = 'the code 739 does not fit 4539 5787 6362 1486'
  const decline = { state: 'declined', reason: 'incorrect_cvc', userMessage: text, providerCode: text } as const
  const redacted = 'the code [code] does not fit [number]'
  expect(redactResult({ ...decline, providerText: text }, raw)).toEqual({
    ...decline,
    userMessage: redacted,
    providerCode: redacted,
    providerText: redacted,
  })
  expect(redactResult(decline, raw)).not.toHaveProperty('providerText')
})

test('[OPS-03] the switch stays off where the provider takes no raw cards, and goes off with the provider that did', async () => {
  expect((await setRawCard('on')).json()).toMatchObject({ rawCard: true, provider: 'moneris' })
  expect((await runPaymentsCommand(context, 'reseller payments set', ['Maple'])).out.join('\n')).toContain(
    'card numbers come to this server',
  )
  const changed = await runPaymentsCommand(context, 'reseller payments set', ['Maple'], { type: 'none', yes: true, json: true })
  expect(changed.json()).toMatchObject({ rawCard: false, provider: 'none' })
  const refused = await setRawCard('on')
  expect([refused.code, refused.err.join()]).toEqual([1, expect.stringContaining('--raw-card stays off')])
})
