import { afterEach, describe, expect, test } from 'vitest'
import { encryptForNexio, NEXIO_CARDS, settleAtNexio } from '../../../../test/payments/encrypted-entries.ts'
import { runPaymentsCommand, setDebitDays } from '../../../../test/payments/payment-commands.ts'
import { dayAfter, expectedDayOf } from '../../../../test/payments/expected-day.ts'
import {
  addPayingCustomer,
  answerBankPage,
  expectBalanced,
  payByLink,
  paymentLinkOf,
  type PayingCustomer,
  runWorkerAfter,
} from '../../../../test/payments/payments-fixture.ts'
import { usePaymentsFixture } from '../../../../test/payments/use-payments.ts'
import { type Answer, sendRequest } from '../../../../test/support/http-client.ts'
import { queryAsAdministrator } from '../../../../test/support/people.ts'

const fixture = await usePaymentsFixture()
afterEach(async () => {
  fixture.advanceToNow()
  await expectBalanced(fixture)
})

const run = (command: string, args: string[], options: Record<string, string | boolean> = {}, files: Record<string, string> = {}) =>
  runPaymentsCommand(fixture.context, command, args, { json: true, ...options }, files)

const MINUTE_MS = 60_000
const publishableKey = await (await fetch(`${fixture.sandbox.url}/nexio/public-key`)).text()

const connect = async (rawCard: 'on' | 'off' = 'on'): Promise<PayingCustomer> => {
  const payer = await addPayingCustomer(fixture, { payment_type: 8, currency: 'USD' })
  const options = { type: 'nexio', credentials: '-', address: `${fixture.sandbox.url}/nexio`, rawCard, debit: '1', publishableKey }
  const settings = { username: `mesa-${payer.resellerId}`, password: 'correct horse', webhookSecrets: ['nexio-webhook-secret'] }
  const set = await run('reseller payments set', [String(payer.resellerId)], options, { '-': JSON.stringify(settings) })
  expect(set.json(), set.err.join()).toMatchObject({ provider: 'nexio', type: 8, rawCard: rawCard === 'on', hasCredentials: true })
  return payer
}

const payer = await connect()
const [CARDS, ACCOUNTS] = ['/v1/ec/nexio/cards', '/v1/ec/nexio/ach']
const encrypt = (digits: string) => encryptForNexio(fixture.sandbox, digits)
const CUSTOMER = {
  payerFirstName: 'Augusta',
  payerLastName: 'Payersen',
  billingAddress: '1 Quay Street',
  billingAddress2: 'Floor 2',
  billingPhone: '555-0100',
  shippingAddress: '2 Harbour Road',
  shippingPhone: '555-0200',
  country: 'US',
  state: 'NM',
  zip: '87101',
  email: 'ada@payer.example',
}
const CARD = {
  firstSix: '411111',
  lastFour: '1111',
  cvv: '123',
  cardType: 'Visa',
  expirationMonth: '12',
  expirationYear: '2031',
  cardHolderName: 'Ada Holder',
  customer: CUSTOMER,
}
const ACCOUNT = {
  routingNumber: '231375151',
  accountHolderName: 'Ada Holder',
  email: 'ada@payer.example',
  billingAddress: '1 Quay Street',
  lastFour: '0000',
}

const fault = (operation: string, kind: string, booked = true, times = 1) =>
  fixture.sandbox.fault({ provider: 'nexio', operation, kind, booked, times })

const addCard = async (more: object = {}, of = payer, number = NEXIO_CARDS.good): Promise<Answer> =>
  of.me.post(CARDS, { ...CARD, encryptedNumber: await encrypt(number), ...more })
const storeCard = async (more: object = {}, of = payer, number = NEXIO_CARDS.good): Promise<string> => {
  const answer = await addCard(more, of, number)
  expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
  return String(answer.json().id)
}
const storeAccount = async (of = payer): Promise<string> => {
  // As it is printed.
  const answer = await of.me.post(ACCOUNTS, {
    ...ACCOUNT,
    routingNumber: ' 2313-7515 1',
    encryptedBankAccountNumber: await encrypt('987654321'),
  })
  expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
  return String(answer.json().id)
}
const list = async (path: string, of = payer): Promise<{ id: string; isDefault: boolean }[]> => (await of.me.get(path)).json()
const removeAll = async (): Promise<void> => {
  for (const path of [CARDS, ACCOUNTS]) for (const { id } of await list(path)) await payer.me.remove(`${path}/${id}`)
}

/** A moment later, so that attempts can be told apart by their time. */
const invoice = (minor = 11_000, of = payer): Promise<number> => {
  fixture.context.advance(1_000)
  return of.invoice({ currency: 'USD', net_minor: minor, amount_minor: minor, amount_due_minor: minor })
}
const payTyped = async (invoiceId: number, more: object = {}, headers: Record<string, string> = {}, number = NEXIO_CARDS.good) =>
  payByLink(
    fixture,
    invoiceId,
    '',
    {
      cardToken: undefined,
      cardNumber: await encrypt(number),
      expirationDate: '2031-12',
      cardCode: '123',
      nexioCustomerDetails: { payerFirstName: 'Augusta', payerLastName: 'Payersen', email: 'ada@payer.example' },
      ...more,
    },
    headers,
  )
const payStored = async (cardId: string, invoiceId: number, type = 'card'): Promise<Answer> =>
  payer.pay(await payer.intent(invoiceId), { cardId, type })

const lastAttempt = async (): Promise<{ id: string; merchant_reference: string; status: string }> => {
  const [attempt] = await queryAsAdministrator<{ id: string; merchant_reference: string; status: string }>(
    fixture.context,
    'select id, merchant_reference, status from payment_attempt order by created_at desc limit 1',
    [],
  )
  if (attempt === undefined) throw new Error('there is no attempt')
  return attempt
}
const ledgerOf = async (merchantReference: string) =>
  (await fixture.sandbox.ledger()).filter(({ reference }) => reference === merchantReference)
const listBooked = async (): Promise<[string, number][]> =>
  (await ledgerOf((await lastAttempt()).merchant_reference)).map(({ status, amount }) => [status, amount])
const settle = async (outcome: 'succeeded' | 'failed' | 'returned'): Promise<void> => {
  const [entry] = await ledgerOf((await lastAttempt()).merchant_reference)
  expect(await settleAtNexio(fixture.sandbox, entry?.id ?? '', outcome)).toBe(200)
}

describe('stored methods', () => {
  test('[PM-04] [PM-09] [PM-80] [PM-81] [API-01] nexio: cards and accounts are listed with what was given; the first method is the default', async () => {
    await removeAll()
    const [first, second, account] = [await storeCard(), await storeCard({ cardHolderName: 'Bo Holder' }), await storeAccount()]
    expect(await list(CARDS)).toEqual([
      {
        id: first,
        isDefault: true,
        nexioCard: {
          cardType: 'visa',
          lastFour: '1111',
          expirationMonth: 12,
          expirationYear: 2031,
          cardHolderName: 'Ada Holder',
          customer: CUSTOMER,
        },
      },
      expect.objectContaining({ id: second, isDefault: false }),
    ])
    // The last digits are Nexio's own, whatever the browser said.
    expect(await list(ACCOUNTS)).toMatchObject([
      {
        id: account,
        type: 'eCheck',
        accountHolderName: 'Ada Holder',
        routingNumber: '231375151',
        lastFour: '4321',
        accountEmail: 'ada@payer.example',
        accountAddress: '1 Quay Street',
      },
    ])
    expect((await payer.me.put('/v1/ec/nexio/customer-default-source', { id: account })).statusCode).toBe(204)
    expect((await list(ACCOUNTS))[0]).toMatchObject({ isDefault: true })
    expect((await payer.me.remove(`${ACCOUNTS}/${account}`)).statusCode).toBe(204)
    expect((await list(CARDS)).map(({ isDefault }) => isDefault)).toEqual([true, false])
  })

  test('[PM-06] [PM-80] nexio: expiry, holder and payer of a card can be changed', async () => {
    const id = await storeCard()
    const change = {
      id,
      expirationMonth: 3,
      expirationYear: 2033,
      cardHolderName: 'Ada Lovelace',
      customer: { payerFirstName: 'Anne', shippingAddress: '3 Dock Lane' },
    }
    expect((await payer.me.put(CARDS, change)).json()).toMatchObject({
      nexioCard: {
        expirationMonth: 3,
        expirationYear: 2033,
        cardHolderName: 'Ada Lovelace',
        lastFour: '1111',
        customer: { ...CUSTOMER, ...change.customer },
      },
    })
    const past = await payer.me.put(CARDS, { id, expirationMonth: 1, expirationYear: 2020 })
    expect([past.statusCode, past.body]).toEqual([400, expect.stringContaining('Please provide valid date')])
  })

  test('[PM-09] [PM-80] nexio: the paths of other providers do not exist, and these are no other customer’s', async () => {
    expect((await payer.me.get('/v1/ec/payments/cards')).statusCode).toBe(404)
    const [id, other] = [await storeCard(), await connect()]
    expect(await list(CARDS, other)).toEqual([])
    for (const answer of [
      await other.me.remove(`${CARDS}/${id}`),
      await other.me.put('/v1/ec/nexio/customer-default-source', { id }),
      await other.me.put(CARDS, { id, cardHolderName: 'Eve' }),
    ])
      expect(answer.statusCode).toBe(404)
  })

  test.each([
    [{ encryptedNumber: '4111111111111111' }, 'body.cardNumber'],
    [{ cvv: '12' }, 'body.cardCode'],
    [{ expirationYear: '2020' }, 'body.expirationDate'],
    [{ cardHolderName: ' ' }, 'body.cardHolderName'],
    [{ customer: { ...CUSTOMER, payerLastName: '' } }, 'body.customer.payerLastName'],
    [{ customer: { ...CUSTOMER, shippingAddress: null } }, 'body.customer.shippingAddress'],
    [{ customer: { ...CUSTOMER, email: 'ada' } }, 'body.email'],
    [{ customer: { ...CUSTOMER, billingAddress: '4111111111111111' } }, 'body'],
  ])('[PM-08] [PM-80] nexio: a card that cannot be right is refused at its field: %j', async (change, field) => {
    const refused = await addCard(change)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ path: field })] }),
    ])
  })

  test('[PM-06] [PM-80] nexio: a wrong security code is told; a lost answer leaves the card to be stored again', async () => {
    const before = (await list(CARDS)).length
    expect((await addCard({ cvv: '999' })).json()).toMatchObject({
      code: 'method_declined',
      userMessage: 'The security code of the card is not right. Please check it.',
    })
    await fault('store', 'drop')
    expect((await addCard()).statusCode).toBe(503)
    expect(await list(CARDS)).toHaveLength(before)
  })

  test('[PM-80] [PAY-01] nexio: without the switch for card numbers a card is entered in Nexio’s own frame', async () => {
    const careful = await connect('off')
    expect((await addCard({}, careful)).body).toContain('Send the token of the card')
    const enterInFrame = async (start: { fields: { token: string; frameUrl: string } }): Promise<string> => {
      expect(start.fields.frameUrl).toBe(`${fixture.sandbox.url}/nexio/pay/v3/saveCard?token=${start.fields.token}`)
      const card = {
        number: NEXIO_CARDS.good,
        expirationMonth: '12',
        expirationYear: '2031',
        securityCode: '123',
        cardHolderName: 'Ada Holder',
      }
      const url = `${fixture.sandbox.url}/nexio/hosted/saveCard?token=${start.fields.token}`
      const saved = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ card }) })
      return ((await saved.json()) as { token: { token: string } }).token.token
    }
    const token = await enterInFrame((await careful.me.post('/v1/ec/payments/card-fields', {})).json())
    expect((await careful.me.post(CARDS, { token, customer: CUSTOMER })).json()).toMatchObject({ status: 'succeeded' })
    expect(await list(CARDS, careful)).toMatchObject([
      { nexioCard: { lastFour: '1111', cardHolderName: 'Ada Holder', customer: CUSTOMER } },
    ])
    expect((await careful.me.post(CARDS, { token: 'unknown', customer: CUSTOMER })).statusCode).toBe(400)

    const toPay = await invoice(11_000, careful)
    const { token: uid } = await paymentLinkOf(fixture.context, toPay)
    const started = await sendRequest(fixture.app, { method: 'POST', url: `/v1/ec/pay/${uid}/card-fields` })
    expect((await payTyped(toPay)).statusCode).toBe(400)
    expect((await payByLink(fixture, toPay, await enterInFrame(JSON.parse(started.body)))).json()).toMatchObject({
      status: 'succeeded',
      intentStatus: 3,
    })
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })
})

describe('payments', () => {
  test('[SP-01] [SP-03] nexio: the public page gets what it needs, and pays by the card that the browser encrypted', async () => {
    const id = await invoice()
    const { token } = await paymentLinkOf(fixture.context, id)
    const details = JSON.parse((await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).body)
    expect(details).toMatchObject({
      paymentType: 8,
      integrationType: 'Nexio',
      publishableKey,
      isFrame: false,
      requiredCardHolder: true,
      takesCardNumbers: true,
      apiStatus: true,
    })
    expect((await payTyped(id)).json()).toMatchObject({ status: 'succeeded', intentStatus: 3 })
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11, amountDue: 0 })
  })

  test('[BP-03] [BP-05] nexio: a stored card pays several invoices', async () => {
    const [card, one, two] = [await storeCard(), await invoice(), await invoice(2_500)]
    expect((await payer.pay(await payer.intent(one, two), { cardId: card, type: 'card' })).json()).toMatchObject({ status: 'succeeded' })
    expect(await listBooked()).toEqual([['succeeded', 13_500]])
  })

  test('[BP-02] [BP-03] [BP-05] nexio: a stored account pays as eCheck: in collection, settled, returned', async () => {
    const [account, id] = [await storeAccount(), await invoice()]
    expect((await payStored(account, id, 'au_becs_debit')).statusCode).toBe(400)
    expect((await payStored(account, id, 'eCheck')).json()).toMatchObject({ status: 'processing' })
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 7 })
    expect(await expectedDayOf(payer, id)).toBe(null)
    expect((await setDebitDays(fixture.context, payer.resellerId, 3)).json()).toMatchObject({ debitDays: 3, hasCredentials: true })
    expect(await expectedDayOf(payer, id)).toBe(dayAfter(fixture.context, 3))
    await settle('succeeded')
    await runWorkerAfter(fixture, 2 * 60 * MINUTE_MS)
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
    await settle('returned')
    await run('payments look-up', [(await lastAttempt()).id])
    expect(await lastAttempt()).toMatchObject({ status: 'reversed' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test('[BP-05] nexio: an eCheck that its bank refuses is declined, and the invoice can be paid again', async () => {
    const [account, id] = [await storeAccount(), await invoice()]
    await payStored(account, id, 'eCheck')
    await settle('failed')
    await runWorkerAfter(fixture, 2 * 60 * MINUTE_MS)
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test.each([
    [11_005, 'The payment was declined. Please use another payment method, or ask your bank.'],
    [11_051, 'The account has not enough funds. Please use another payment method.'],
    [11_054, 'The card has expired. Please use another card.'],
  ])('[SP-04] [BP-04] nexio: %i cents are declined, and the invoice can be paid again', async (minor, userMessage) => {
    const id = await invoice(minor)
    expect((await payTyped(id, { invoiceAmount: (minor / 100).toFixed(2) })).json()).toMatchObject({ userMessage })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
    expect(await listBooked()).toEqual([])
  })

  test.each(['drop', 'error', 'garbage'])(
    '[PAY-01] nexio: a charge that is lost (%s) is found by our reference, and never sent again',
    async (kind) => {
      const id = await invoice()
      await fault('charge', kind)
      const key = { 'idempotency-key': `press ${kind}` }
      expect((await payTyped(id, {}, key)).json()).toMatchObject({ status: 'processing' })
      expect((await payTyped(id, {}, key)).json()).not.toMatchObject({ status: 'declined' })
      await runWorkerAfter(fixture, 2 * MINUTE_MS)
      expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
      expect(await listBooked()).toEqual([['succeeded', 11_000]])
    },
  )

  test('[PAY-01] nexio: the gateway’s timeout (408) is being processed until the look-up', async () => {
    const id = await invoice(11_008)
    expect((await payTyped(id, { invoiceAmount: '110.08' })).json()).toMatchObject({ status: 'processing' })
    await runWorkerAfter(fixture, 2 * MINUTE_MS)
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
  })

  test('[PAY-01] nexio: a charge that is not found frees the invoice after 75 minutes, not before', async () => {
    const id = await invoice()
    await fault('charge', 'drop', false)
    await payTyped(id)
    for (const minutes of [2, 5, 15, 40]) await runWorkerAfter(fixture, minutes * MINUTE_MS)
    expect(await lastAttempt()).toMatchObject({ status: 'unknown' })
    await runWorkerAfter(fixture, 60 * MINUTE_MS)
    expect(await lastAttempt()).toMatchObject({ status: 'not_sent' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test('[PAY-01] nexio: fifty presses at once are one charge', async () => {
    const [card, id] = [await storeCard(), await invoice()]
    const intent = await payer.intent(id)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => payer.pay(intent, { cardId: card, type: 'card' }, { 'idempotency-key': 'one press' })),
    )
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })
})

describe('3-D Secure', () => {
  const leave = async (): Promise<{ id: number; redirectToUrl: string }> => {
    const [card, id] = [await storeCard({}, payer, NEXIO_CARDS.authenticating), await invoice()]
    const answer = (await payStored(card, id)).json<{ status: string; redirectToUrl: string }>()
    expect(answer.status).toBe('requires_action')
    return { id, redirectToUrl: answer.redirectToUrl }
  }
  const comeBack = async (address: string): Promise<URLSearchParams> => {
    const { pathname, search } = new URL(address)
    const answer = await fixture.app.inject({ method: 'GET', url: pathname + search })
    expect(answer.statusCode).toBe(303)
    const target = new URL(String(answer.headers.location), 'http://localhost')
    expect(target.pathname).toBe('/payment-result')
    return target.searchParams
  }
  const report = async (query: URLSearchParams) =>
    (
      await payer.me.post('/v1/ec/payments/confirmation/result', {
        paymentIntent: query.get('payment_intent'),
        paymentIntentClientSecret: query.get('payment_intent_client_secret'),
        sourceType: query.get('source_type'),
        reqUid: query.get('req_uid'),
      })
    ).json()

  test('[PR-01] [PAY-01] nexio: the payer confirms, comes back by our signed address, and the look-up says that it is paid', async () => {
    const { id, redirectToUrl } = await leave()
    const query = await comeBack(await answerBankPage(redirectToUrl, 'complete'))
    expect(await report(query)).toMatchObject({ status: 3 })
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
    // Nexio's own id has come meanwhile; the address still names the payment.
    expect(await report(query)).toMatchObject({ status: 3 })
  })

  test('[PR-01] [PAY-01] nexio: what the address says of the outcome is not believed', async () => {
    const { redirectToUrl } = await leave()
    const query = await comeBack((await answerBankPage(redirectToUrl, 'fail')).replace('status=declined', 'status=settled'))
    expect(await report(query)).toMatchObject({ status: 4 })
    expect(await listBooked()).toEqual([])
  })

  test('[PAY-01] nexio: nobody pays a second time while the bank’s page can still be confirmed', async () => {
    const { id, redirectToUrl } = await leave()
    expect((await payTyped(id)).json()).toMatchObject({ code: 'payment_in_progress' })
    await answerBankPage(redirectToUrl, 'complete')
    await runWorkerAfter(fixture, 5 * MINUTE_MS)
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })

  test('[PAY-01] nexio: a payer who never confirms frees the invoice when the page has expired', async () => {
    const { id } = await leave()
    for (const minutes of [5, 30, 30]) await runWorkerAfter(fixture, minutes * MINUTE_MS)
    expect(await lastAttempt()).toMatchObject({ status: 'requires_action' })
    await runWorkerAfter(fixture, 120 * MINUTE_MS)
    expect(await lastAttempt()).toMatchObject({ status: 'expired' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })
})

describe('what an operator does', () => {
  test('[OPS-03] nexio: the account is tested', async () => {
    expect((await run('reseller payments test', [String(payer.resellerId)])).json()).toMatchObject({ provider: 'nexio', canCharge: true })
  })

  test('[PAY-01] nexio: autopay charges the default card of a customer who allows it, once', async () => {
    const consenting = await connect()
    await storeCard({}, consenting)
    await consenting.me.put('/v1/ec/allow-reseller-charge', { allowResellerCharge: true })
    await run('reseller payments set', [String(consenting.resellerId)], { askPermission: 'on' })
    fixture.context.advance(1_000)
    const id = await consenting.invoice({ currency: 'USD', due_on: fixture.context.clock().toISOString().slice(0, 10) })
    const autopay = async () =>
      (await run('autopay run', [], { reseller: String(consenting.resellerId) })).json<{ payments: object[] }>().payments
    expect(await autopay()).toMatchObject([{ outcome: 'paid', amount: '110.00' }])
    expect(await autopay()).toEqual([])
    expect(await consenting.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
  })

  test('[PAY-01] nexio: before it settles a payment is voided as a whole, and a part has to wait', async () => {
    const id = await invoice()
    await payTyped(id)
    const { id: attempt } = await lastAttempt()
    expect((await run('payments refund', [attempt], { yes: true, amount: '10.00' })).err.join()).toContain('once the payment has settled')
    expect((await run('payments refund', [attempt], { yes: true })).json()).toMatchObject({
      refunded: '110.00',
      attempt: { status: 'refunded' },
    })
    expect(await listBooked()).toEqual([
      ['succeeded', 11_000],
      ['refunded', 11_000],
    ])
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
  })

  test('[PAY-01] nexio: afterwards parts are refunded; look-ups in between take nothing back', async () => {
    await payTyped(await invoice())
    await settle('succeeded')
    const { id: attempt } = await lastAttempt()
    expect((await run('payments refund', [attempt], { yes: true, amount: '12.50' })).json()).toMatchObject({ refunded: '12.50' })
    expect((await run('payments look-up', [attempt])).json()).toMatchObject({ attempt: { refunded: '12.50' } })
    expect((await run('payments refund', [attempt], { yes: true })).json()).toMatchObject({
      refunded: '97.50',
      attempt: { status: 'refunded' },
    })
  })
})
