import { afterEach, describe, expect, test } from 'vitest'
import { runPaymentsCommand } from '../../../../test/payments/payment-commands.ts'
import {
  addPayingCustomer,
  expectBalanced,
  payByLink,
  paymentLinkOf,
  type PayingCustomer,
  runWorkerAfter,
} from '../../../../test/payments/payments-fixture.ts'
import { usePaymentsFixture } from '../../../../test/payments/use-payments.ts'
import { type Answer, sendRequest } from '../../../../test/support/http-client.ts'
import { queryAsAdministrator } from '../../../../test/support/people.ts'
import { SIGNATURE_KEY } from '../../../../test/payments/test-authorize.ts'

const fixture = await usePaymentsFixture()
afterEach(async () => {
  fixture.advanceToNow()
  await expectBalanced(fixture)
})

const run = (command: string, args: string[], options: Record<string, string | boolean> = {}, files: Record<string, string> = {}) =>
  runPaymentsCommand(fixture.context, command, args, { json: true, ...options }, files)

const settingsOf = (resellerId: number) => ({
  loginId: `login${resellerId}`,
  transactionKey: 'a-secret-key',
  webhookSecrets: [SIGNATURE_KEY],
})

const connect = async (rawCard: 'on' | 'off' = 'on', settings: object = {}): Promise<PayingCustomer> => {
  const payer = await addPayingCustomer(fixture, { payment_type: 2, direct_debit_payment_method_id: 1 })
  const options = { type: 'authorize', credentials: '-', address: `${fixture.sandbox.url}/authorize`, rawCard }
  const set = await run('reseller payments set', [String(payer.resellerId)], options, {
    '-': JSON.stringify({ ...settingsOf(payer.resellerId), ...settings }),
  })
  expect(set.json(), set.err.join()).toMatchObject({ provider: 'authorize', type: 2, rawCard: rawCard === 'on', hasCredentials: true })
  return payer
}

const payer = await connect()
const [CARDS, ACH] = ['/v1/ec/autorize/cards', '/v1/ec/autorize/ach']
const VISA = '4111111111111111'
const CARD = {
  cardNumber: VISA,
  expirationDate: '2031-12',
  company: 'Nimbus Ltd',
  address: '1 Quay Street',
  city: 'Fort Wayne',
  state: 'IN',
  zip: '46201',
  country: 'US',
  addressCountry: 'US',
}
const ACCOUNT = {
  routingNumber: '121042882',
  accountNumber: '123456789',
  nameOnAccount: 'Ada Payer',
  bankName: 'First Bank',
  accountType: 'checking',
}

const fault = (operation: string, kind: string, booked = true) => fixture.sandbox.fault({ provider: 'authorize', operation, kind, booked })
const settle = async (id: string, outcome: string): Promise<void> => {
  const { ok } = await fetch(`${fixture.sandbox.url}/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'authorize', id, outcome }),
  })
  expect(ok).toBe(true)
}

interface Row {
  readonly id: string
  readonly isDefault: boolean
}
const list = async (path: string, of = payer): Promise<Row[]> => (await of.me.get(path)).json()
const store = async (path: string, body: object, of = payer): Promise<string> => {
  const answer = await of.me.post(path, body)
  expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
  return String(answer.json().id)
}
const acceptToken = async (): Promise<string> => {
  const body = {
    securePaymentContainerRequest: {
      merchantAuthentication: { name: `login${payer.resellerId}`, clientKey: 'public' },
      data: { type: 'TOKEN', id: '1', token: { cardNumber: VISA, expirationDate: '122031' } },
    },
  }
  const answer = await fetch(`${fixture.sandbox.url}/authorize/xml/v1/request.api`, { method: 'POST', body: JSON.stringify(body) })
  const { opaqueData } = JSON.parse((await answer.text()).replace('\uFEFF', ''))
  return `${opaqueData.dataDescriptor}|${opaqueData.dataValue}`
}

/** What a merchant does in the gateway's own interface. */
const voidAtGateway = async (resellerId: number, refTransId: string): Promise<void> => {
  const { loginId: name, transactionKey } = settingsOf(resellerId)
  const transactionRequest = { transactionType: 'voidTransaction', refTransId }
  const body = { createTransactionRequest: { merchantAuthentication: { name, transactionKey }, transactionRequest } }
  await fetch(`${fixture.sandbox.url}/authorize/xml/v1/request.api`, { method: 'POST', body: JSON.stringify(body) })
}

/** A moment later, so that attempts can be told apart by their time. */
const invoice = (minor = 11_000, of = payer): Promise<number> => {
  fixture.context.advance(1_000)
  return of.invoice({ currency: 'USD', net_minor: minor, amount_minor: minor, amount_due_minor: minor })
}
const TYPED = { cardToken: undefined, cardNumber: VISA, expirationDate: '2031-12', cardCode: '739', cardHolder: 'Ada Payer' }
const payTyped = (invoiceId: number, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  payByLink(fixture, invoiceId, '', { ...TYPED, ...more }, headers)
const lastAttempt = async (): Promise<{ id: string; merchant_reference: string; status: string; provider_ref: string }> => {
  const [attempt] = await queryAsAdministrator<{ id: string; merchant_reference: string; status: string; provider_ref: string }>(
    fixture.context,
    'select id, merchant_reference, status, provider_ref from payment_attempt order by created_at desc limit 1',
    [],
  )
  if (attempt === undefined) throw new Error('there is no attempt')
  return attempt
}
const listBooked = async (): Promise<[string, number][]> => {
  const { merchant_reference } = await lastAttempt()
  return (await fixture.sandbox.ledger())
    .filter(({ reference }) => reference === merchant_reference)
    .map(({ status, amount }) => [status, amount])
}

describe('stored methods', () => {
  test('[PM-04] [PM-09] [PM-20] [API-01] authorize: the first method is the default; another becomes it, and the first one left when it is removed', async () => {
    const first = await store(CARDS, CARD)
    const second = await store(CARDS, { cardNumber: '3700 000000 00002', expirationDate: '2031-12' })
    expect(await list(CARDS)).toEqual([
      {
        id: first,
        isDefault: true,
        sourceType: 'CC',
        address: { line1: '1 Quay Street', line2: null, city: 'Fort Wayne', postalCode: '46201', state: 'IN', country: 'US' },
        authorizeCard: { brand: 'Visa', last4: '1111' },
        legalName: 'Nimbus Ltd',
      },
      expect.objectContaining({ id: second, isDefault: false, authorizeCard: { brand: 'amex', last4: '0002' } }),
    ])
    expect((await payer.me.put('/v1/ec/autorize/customer-default-source', { id: second })).statusCode).toBe(204)
    expect((await list(CARDS)).map(({ isDefault }) => isDefault)).toEqual([false, true])
    expect((await payer.me.remove(`${CARDS}/${second}`)).statusCode).toBe(204)
    expect(await list(CARDS)).toMatchObject([{ id: first, isDefault: true }])
    expect((await payer.me.remove(`${CARDS}/${second}`)).statusCode).toBe(404)
  })

  test('[PM-09] [PM-20] authorize: the paths of other providers do not exist, and these are no other customer’s', async () => {
    expect((await payer.me.get('/v1/ec/payments/cards')).statusCode).toBe(404)
    const [id, other] = [await store(CARDS, { ...CARD, zip: '46203' }), await connect()]
    expect(await list(CARDS, other)).toEqual([])
    expect((await other.me.remove(`${CARDS}/${id}`)).statusCode).toBe(404)
  })

  test.each([
    [{ cardNumber: '4111111111111112' }, 'body.cardNumber'],
    [{ cardNumber: undefined }, 'body.cardNumber'],
    [{ expirationDate: '2020-01' }, 'body.expirationDate'],
    [{ expirationDate: undefined }, 'body.expirationDate'],
    [{ token: 'COMMON|x' }, 'body.cardNumber'],
  ])('[PM-08] [PM-20] authorize: a card that cannot be right is refused at its field: %j', async (change, field) => {
    const answer = await payer.me.post(CARDS, { ...CARD, ...change })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ path: field })] }),
    ])
    expect(answer.body).not.toContain('4111')
  })

  test('[PM-06] [PM-20] authorize: a card that is declined is not stored, and says why', async () => {
    const before = (await list(CARDS)).length
    const answer = await payer.me.post(CARDS, { ...CARD, zip: '46282' })
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { userMessage: 'This transaction has been declined.' }])
    expect(await list(CARDS)).toHaveLength(before)
  })

  test('[PM-21] authorize: an account is stored, changed, and listed with masked numbers', async () => {
    const id = await store(ACH, ACCOUNT)
    const row = {
      id,
      isDefault: false,
      type: 'eCheck',
      status: 'ready',
      routingNumber: 'XXXX2882',
      accountNumber: 'XXXX6789',
      lastFour: '6789',
      nameOnAccount: 'Ada Payer',
      bankName: 'First Bank',
      accountType: 'checking',
      billingDetails: { name: 'Ada Payer' },
    }
    expect(await list(ACH)).toEqual([row])
    const change = {
      id,
      ...ACCOUNT,
      routingNumber: 'XXXX2882',
      accountNumber: 'XXXX6789',
      nameOnAccount: 'Ada King',
      accountType: 'savings',
    }
    const changed = await payer.me.put(ACH, change)
    expect(changed.json()).toEqual({ ...row, nameOnAccount: 'Ada King', accountType: 'savings', billingDetails: { name: 'Ada King' } })
    expect((await payer.me.put(ACH, { ...change, accountNumber: '987654321' })).body).toContain('cannot be changed')
    expect((await payer.me.remove(`${CARDS}/${id}`)).statusCode).toBe(404)
    expect((await payer.me.remove(`${ACH}/${id}`)).statusCode).toBe(204)
    expect(await list(ACH)).toEqual([])
  })

  test.each([
    [{ routingNumber: '121042881' }, 'body.routingNumber'],
    [{ routingNumber: '12345' }, 'body.routingNumber'],
    [{ accountNumber: '1234' }, 'body.accountNumber'],
    [{ accountNumber: '123456789012345678' }, 'body.accountNumber'],
    [{ nameOnAccount: ' ' }, 'body.nameOnAccount'],
    [{ nameOnAccount: 'A name of 23 characters' }, 'body.nameOnAccount'],
    [{ bankName: ' ' }, 'body.bankName'],
  ])('[PM-21] authorize: an account that cannot be right is refused at its field: %j', async (change, field) => {
    const answer = await payer.me.post(ACH, { ...ACCOUNT, ...change })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ path: field })] }),
    ])
    expect(answer.body).not.toContain('121042881')
  })

  test.each([
    { routingNumber: ' 1210-4288 2\u00A0', accountNumber: '1234-5678 9' },
    { routingNumber: '1 2 1 0 4 2 8 8 2', accountNumber: '1 2 3 4 – 5 6 7 8 – 9 0 1 2 – 3 4 5 6 – 7' },
  ])('[PM-21] authorize: the numbers of an account may be sent as they are printed: %j', async (printed) => {
    const answer = await payer.me.post(ACH, { ...ACCOUNT, ...printed })
    expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
    expect((await list(ACH)).at(-1)).toMatchObject({
      routingNumber: 'XXXX2882',
      accountNumber: `XXXX${printed.accountNumber.replaceAll(/\D/g, '').slice(-4)}`,
    })
    await payer.me.remove(`${ACH}/${answer.json().id}`)
  })

  test('[PM-21] authorize: where the reseller takes no bank accounts none is stored', async () => {
    const cardsOnly = await connect()
    await run('reseller payments set', [String(cardsOnly.resellerId)], { debit: 'none' })
    expect((await cardsOnly.me.post(ACH, ACCOUNT)).json()).toMatchObject({ code: 'method_not_accepted' })
  })

  test('[PM-09] [PM-20] [PAY-01] authorize: without the switch for card numbers a token takes their place, and a number is refused', async () => {
    const careful = await connect('off')
    expect((await careful.me.post(CARDS, CARD)).body).toContain('Send the token of the card')
    const { fields } = (await careful.me.post('/v1/ec/payments/card-fields', {})).json<{ fields: object }>()
    expect(fields).toEqual({ apiLoginID: `login${careful.resellerId}`, clientKey: expect.any(String) })
    const refused = await careful.me.post(CARDS, { token: 'tok_1' })
    expect([refused.statusCode, refused.json().userMessage]).toEqual([400, 'The payment method could not be read. Please enter it again.'])
    expect((await careful.me.post(ACH, ACCOUNT)).json()).toMatchObject({ status: 'succeeded' })
    const toPay = await invoice(11_000, careful)
    expect((await payTyped(toPay)).statusCode).toBe(400)
  })

  test('[PM-20] [SP-01] authorize: a token of Accept.js stores a card, and pays by link', async () => {
    const before = (await list(CARDS)).length
    await store(CARDS, { token: await acceptToken(), zip: '46217' })
    expect(await list(CARDS)).toHaveLength(before + 1)
    const id = await invoice()
    expect((await payByLink(fixture, id, await acceptToken())).json()).toMatchObject({ status: 'succeeded', intentStatus: 3 })
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })
})

describe('payments', () => {
  test('[SP-01] [SP-03] authorize: the public page gets what it needs, and pays by the card as it is typed', async () => {
    const id = await invoice()
    const { token } = await paymentLinkOf(fixture.context, id)
    const details = JSON.parse((await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).body)
    expect(details).toMatchObject({
      paymentType: 2,
      integrationType: null,
      scriptUrl: `${fixture.sandbox.url}/authorize/v1/Accept.js`,
      isFrame: false,
      takesCardNumbers: true,
      apiStatus: true,
    })
    expect((await payTyped(id)).json()).toMatchObject({ status: 'succeeded', intentStatus: 3 })
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11, amountDue: 0 })
    expect(await lastAttempt()).toMatchObject({ merchant_reference: expect.stringMatching(/^[A-HJ-NP-Z2-9]{20}$/) })
  })

  test('[BP-03] [BP-05] authorize: a stored card pays several invoices', async () => {
    const [card, one, two] = [await store(CARDS, { ...CARD, zip: '46204' }), await invoice(), await invoice(2_500)]
    const intent = await payer.intent(one, two)
    expect((await payer.pay(intent, { cardId: card, type: 'card' })).json()).toMatchObject({ status: 'succeeded' })
    expect(await listBooked()).toEqual([['succeeded', 13_500]])
  })

  test('[SP-04] [BP-04] authorize: a declined card says why, and the invoice can be paid again', async () => {
    const id = await invoice()
    const declined = await payTyped(id, {
      billingAddress: { address: '1 Quay Street', city: 'X', state: 'IN', zip: '46282', country: 'US' },
    })
    expect([declined.statusCode, declined.json()]).toMatchObject([400, { userMessage: 'This transaction has been declined.' }])
    expect((await payTyped(id)).json()).toMatchObject({ status: 'succeeded' })
  })

  test('[BP-05] [BP-02] authorize: a debit is in collection until it is settled and its days of return have passed', async () => {
    const [account, id] = [await store(ACH, { ...ACCOUNT, accountNumber: '22223333' }), await invoice(5_000)]
    const intent = await payer.intent(id)
    expect((await payer.pay(intent, { cardId: account, type: 'eCheck' })).json()).toMatchObject({ status: 'processing' })
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 7, canPay: false })
    const { provider_ref } = await lastAttempt()
    await settle(provider_ref, 'succeeded')
    await runWorkerAfter(fixture, 3_600_000)
    expect(await lastAttempt()).toMatchObject({ status: 'processing' })
    await runWorkerAfter(fixture, 8 * 86_400_000)
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
  })

  test('[BP-05] [PAY-01] authorize: a debit that its bank returns in these days opens the invoice again', async () => {
    const [account, id] = [await store(ACH, { ...ACCOUNT, accountNumber: '44445555' }), await invoice(5_000)]
    await payer.pay(await payer.intent(id), { cardId: account, type: 'eCheck' })
    const { provider_ref } = await lastAttempt()
    await settle(provider_ref, 'succeeded')
    await settle(provider_ref, 'returned')
    await runWorkerAfter(fixture, 3_700_000)
    expect(await lastAttempt()).toMatchObject({ status: 'declined' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test.each(['drop', 'error', 'garbage'])('[PAY-01] authorize: a charge that is lost (%s) is found by our reference', async (kind) => {
    const id = await invoice()
    await fault('charge', kind)
    const key = { 'idempotency-key': `press ${kind} ${id}` }
    expect((await payTyped(id, {}, key)).json()).toMatchObject({ status: 'processing' })
    await runWorkerAfter(fixture, 120_000)
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })

  test('[PAY-01] authorize: a charge that never arrived frees its invoice after twenty minutes, not before', async () => {
    const id = await invoice()
    await fault('charge', 'drop', false)
    const answer = (await payTyped(id)).json()
    expect(answer).toMatchObject({ status: 'processing', payment: { unknownOutcome: { endsBy: expect.any(String) } } })
    // What the payer is told holds: the look-ups of the worker end it by then, and not long before.
    const endsBy = new Date(answer.payment.unknownOutcome.endsBy).getTime() - fixture.context.clock().getTime()
    expect([endsBy > 20 * 60_000, endsBy <= 24 * 60_000]).toEqual([true, true])
    for (const after of [1, 2, 5]) await runWorkerAfter(fixture, after * 60_000)
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: false })
    await runWorkerAfter(fixture, endsBy - 8 * 60_000)
    expect(await lastAttempt()).toMatchObject({ status: 'not_sent' })
    expect((await payTyped(id)).json()).toMatchObject({ status: 'succeeded' })
  })

  test('[PAY-01] authorize: fifty presses at once are one charge', async () => {
    const [card, id] = [await store(CARDS, { ...CARD, zip: '46205' }), await invoice()]
    const intent = await payer.intent(id)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => payer.pay(intent, { cardId: card, type: 'card' }, { 'idempotency-key': 'one press' })),
    )
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })
})

describe('what an operator does', () => {
  test('[OPS-03] authorize: the account is tested, and wrong settings are named', async () => {
    const name = String(payer.resellerId)
    expect((await run('reseller payments test', [name])).json()).toMatchObject({ provider: 'authorize', canCharge: true })
    const blind = await connect('on', { loginId: 'nodetails' })
    expect((await run('reseller payments test', [String(blind.resellerId)])).err.join()).toContain('Enable the Transaction Details API')
    const wrong = await run(
      'reseller payments set',
      [name],
      { type: 'authorize', credentials: '-', address: `${fixture.sandbox.url}/authorize` },
      { '-': JSON.stringify({ ...settingsOf(1), returnDays: 61 }) },
    )
    expect(wrong.err.join()).toContain('The settings of authorize are not usable')
  })

  test('[PAY-01] authorize: autopay charges the default card of a customer who allows it, once', async () => {
    const consenting = await connect()
    await store(CARDS, CARD, consenting)
    await consenting.me.put('/v1/ec/allow-reseller-charge', { allowResellerCharge: true })
    await run('reseller payments set', [String(consenting.resellerId)], { askPermission: 'on' })
    fixture.context.advance(1_000)
    const id = await consenting.invoice({ currency: 'USD', due_on: fixture.context.clock().toISOString().slice(0, 10) })
    const autopay = async () =>
      (await run('autopay run', [], { reseller: String(consenting.resellerId) })).json<{ payments: object[] }>().payments
    expect(await autopay()).toMatchObject([{ outcome: 'paid', amount: '110.00' }])
    expect(await autopay()).toEqual([])
    expect(await consenting.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })

  test('[PAY-01] authorize: before settlement all of a payment is voided with one command, and no part of it', async () => {
    await payTyped(await invoice())
    const { id: attempt } = await lastAttempt()
    expect((await run('payments refund', [attempt], { yes: true, amount: '12.50' })).err.join()).toContain('after it is settled')
    const refunded = await run('payments refund', [attempt], { yes: true })
    expect(refunded.json(), refunded.err.join()).toMatchObject({ refunded: '110.00', attempt: { status: 'refunded', refunded: '110.00' } })
    expect((await run('payments look-up', [attempt])).json()).toMatchObject({ attempt: { status: 'refunded' } })
    expect(await listBooked()).toEqual([
      ['succeeded', 11_000],
      ['refunded', 11_000],
    ])
  })

  test('[PAY-01] authorize: after settlement a part is refunded, then the rest', async () => {
    await payTyped(await invoice())
    const { id: attempt, provider_ref } = await lastAttempt()
    await settle(provider_ref, 'succeeded')
    expect((await run('payments refund', [attempt], { yes: true, amount: '12.50' })).json()).toMatchObject({ refunded: '12.50' })
    expect((await run('payments refund', [attempt], { yes: true })).json()).toMatchObject({
      refunded: '97.50',
      attempt: { status: 'refunded' },
    })
    expect((await listBooked()).map(([, amount]) => amount)).toEqual([11_000, 1_250, 9_750])
  })

  test('[PAY-01] authorize: a refund whose answer was lost is made once, however often the command is repeated', async () => {
    await payTyped(await invoice())
    const { id: attempt, provider_ref } = await lastAttempt()
    await settle(provider_ref, 'succeeded')
    await fault('refund', 'drop')
    expect((await run('payments refund', [attempt], { yes: true })).err.join()).toContain('Nobody knows whether it was refunded')
    expect((await run('payments refund', [attempt], { yes: true })).json()).toMatchObject({ refunded: '110.00' })
    expect((await listBooked()).map(([status]) => status)).toEqual(['succeeded', 'refunded'])
  })

  test('[PAY-01] authorize: a debit that its bank returns after it was paid opens its invoice again, by the daily comparison', async () => {
    const ours = await connect('on', { returnDays: 0 })
    const [account, id] = [await store(ACH, ACCOUNT, ours), await invoice(5_000, ours)]
    await ours.pay(await ours.intent(id), { cardId: account, type: 'eCheck' })
    const { provider_ref } = await lastAttempt()
    await settle(provider_ref, 'succeeded')
    await runWorkerAfter(fixture, 3_700_000)
    expect(await ours.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
    await settle(provider_ref, 'returned')
    await run('payments reconcile', [], { reseller: String(ours.resellerId) })
    expect(await lastAttempt()).toMatchObject({ status: 'reversed' })
    expect(await ours.readInvoice(id)).toMatchObject({ canPay: true, amountDue: 50 })
  })

  test('[PAY-01] authorize: reconciliation finds nothing among payments that agree, and what was voided at the gateway', async () => {
    const ours = await connect()
    fixture.context.advance(1_000)
    const card = await store(CARDS, CARD, ours)
    await ours.pay(await ours.intent(await invoice(11_000, ours)), { cardId: card, type: 'card' })
    fixture.context.advance(2 * 3_600_000)
    const compare = async () => {
      const { reconciled } = (await run('payments reconcile', [], { reseller: String(ours.resellerId) })).json<{
        reconciled: ({ provider: string } & Record<'drifts', object[]>)[]
      }>()
      return reconciled.find(({ provider }) => provider === 'authorize')?.drifts
    }
    expect(await compare()).toEqual([])
    const { provider_ref } = await lastAttempt()
    await voidAtGateway(ours.resellerId, provider_ref)
    expect(await compare()).toMatchObject([{ kind: 'refund', ours: '0.00', theirs: '110.00', isMended: true }])
    expect(await compare()).toEqual([])
    expect(await lastAttempt()).toMatchObject({ status: 'refunded' })
  })
})
