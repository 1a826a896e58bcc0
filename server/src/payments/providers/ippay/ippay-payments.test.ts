import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runPaymentsCommand, setDebitDays } from '../../../../test/payments/payment-commands.ts'
import { dayAfter, expectedDayOf } from '../../../../test/payments/expected-day.ts'
import {
  addPayingCustomer,
  expectBalanced,
  paymentLinkOf,
  type PayingCustomer,
  runWorkerAfter,
} from '../../../../test/payments/payments-fixture.ts'
import {
  frameUrlIn,
  type HostedReturn,
  IPPAY_CARDS,
  ippaySettings,
  messageIn,
  setIPpayClock,
  stateOf,
  submitHostedPage,
  TYPED_ACCOUNT,
  TYPED_CARD,
} from '../../../../test/payments/test-ippay.ts'
import { usePaymentsFixture } from '../../../../test/payments/use-payments.ts'
import { type Answer, sendRequest } from '../../../../test/support/http-client.ts'
import { queryAsAdministrator } from '../../../../test/support/people.ts'

const fixture = await usePaymentsFixture()

const post = (path: string, body: object): Promise<Response> =>
  fetch(fixture.sandbox.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** The stand-in's reports are of its own time. */
const syncClock = (): Promise<void> => setIPpayClock(fixture.sandbox, fixture.context.clock())
const workAfter = async (minutes: number): Promise<void> => {
  fixture.context.advance(minutes * 60_000)
  await syncClock()
  await runWorkerAfter(fixture, 0)
}

beforeEach(syncClock)
afterEach(async () => {
  fixture.advanceToNow()
  await expectBalanced(fixture)
})

const run = (command: string, args: string[], options: Record<string, string | boolean> = {}, files: Record<string, string> = {}) =>
  runPaymentsCommand(fixture.context, command, args, { json: true, ...options }, files)

const connect = async (reseller: object = {}): Promise<PayingCustomer> => {
  const payer = await addPayingCustomer(fixture, { payment_type: 4, direct_debit_payment_method_id: null, currency: 'USD', ...reseller })
  const options = { type: 'ippay', credentials: '-', address: `${fixture.sandbox.url}/ippay` }
  const set = await run('reseller payments set', [String(payer.resellerId)], options, {
    '-': JSON.stringify(ippaySettings(`TERM${payer.resellerId}`)),
  })
  expect(set.json(), set.err.join()).toMatchObject({ provider: 'ippay', type: 4, hasCredentials: true })
  return payer
}

const payer = await connect()
const CARDS = '/v1/ec/ippay/cards'

const fault = (operation: string, kind: string, booked = true, times = 1) =>
  fixture.sandbox.fault({ provider: 'ippay', operation, kind, booked, times })

/** Does what the browser does at the end of the hosted page. */
const postReturn = ({ url, fields }: HostedReturn): Promise<Answer> =>
  sendRequest(fixture.app, {
    method: 'POST',
    url: url.pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: fixture.sandbox.url, 'sec-fetch-site': 'cross-site' },
    payload: new URLSearchParams(fields).toString(),
  })

type Typed = Readonly<Record<string, string>>

const templateOf = async (path: string, of = payer): Promise<string> => {
  const answer = await of.me.get(path)
  expect([answer.statusCode, answer.headers['content-type']], answer.body).toEqual([200, 'text/html; charset=utf-8'])
  return answer.body
}
const linkTemplate = async (invoice: number): Promise<string> => {
  const { token } = await paymentLinkOf(fixture.context, invoice)
  const answer = await sendRequest(fixture.app, { url: `/v1/ec/pay/${token}/template` })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.body
}

const enter = async (template: string, typed: Typed): Promise<HostedReturn> => submitHostedPage(frameUrlIn(template), typed)

/** @returns the message that the screen gets */
const finish = async (template: string, typed: Typed): Promise<string> =>
  messageIn((await postReturn(await enter(template, typed))).body).message

const storeCard = async (more: Typed = {}, of = payer): Promise<string> => {
  const before = new Set((await listMethods(of)).map(({ id }) => id))
  expect(await finish(await templateOf(`${CARDS}/CC/templates`, of), { ...TYPED_CARD, ...more })).toBe('000')
  return (await listMethods(of)).find(({ id }) => !before.has(id))?.id ?? ''
}
const storeAccount = async (of = payer, account: Typed = {}): Promise<string> => {
  expect(await finish(await templateOf(`${CARDS}/ACH/templates`, of), { ...TYPED_ACCOUNT, ...account })).toBe('000')
  return (await listMethods(of)).findLast(({ sourceType }) => sourceType === 'ACH')?.id ?? ''
}

interface Listed {
  readonly id: string
  readonly isDefault: boolean
  readonly sourceType: string
}
const listMethods = async (of = payer): Promise<Listed[]> => (await of.me.get(CARDS)).json()
const removeMethods = async (): Promise<void> => {
  for (const { id } of await listMethods()) await payer.me.remove(`${CARDS}/${id}`)
}

/** A moment later, so that attempts can be told apart by their time. */
const invoice = (minor = 11_000, of = payer): Promise<number> => {
  fixture.context.advance(1_000)
  return of.invoice({ currency: 'USD', net_minor: minor, amount_minor: minor, amount_due_minor: minor })
}

interface LastAttempt {
  readonly id: string
  readonly merchant_reference: string
  readonly status: string
}
const attempts = (): Promise<LastAttempt[]> =>
  queryAsAdministrator<LastAttempt>(
    fixture.context,
    'select id, merchant_reference, provider_ref, method_shown, method_type, receipt_email, status from payment_attempt order by created_at desc',
    [],
  )
const lastAttempt = async (): Promise<LastAttempt> => {
  const [attempt] = await attempts()
  if (attempt === undefined) throw new Error('there is no attempt')
  return attempt
}
const listBooked = async (): Promise<[string, number][]> => {
  const { merchant_reference } = await lastAttempt()
  return (await fixture.sandbox.ledger())
    .filter(({ reference }) => reference === merchant_reference)
    .map(({ status, amount }) => [status, amount])
}
const settle = async (outcome: string): Promise<void> => {
  const { merchant_reference } = await lastAttempt()
  const entry = (await fixture.sandbox.ledger()).find(({ reference }) => reference === merchant_reference)
  expect((await post('/settle', { provider: 'ippay', id: entry?.id, outcome })).ok).toBe(true)
}

const payStored = async (cardId: string, invoiceId: number, type = 'card'): Promise<Answer> =>
  payer.pay(await payer.intent(invoiceId), { cardId, type })

const payByFrame = async (invoiceId: number, more: Typed = {}): Promise<string> =>
  finish(await linkTemplate(invoiceId), { ...TYPED_CARD, ...more })

const SHOWN_CARD = { type: 'visa', number: '****1000', expiryMonth: 12, expiryYear: 2031 }

describe('stored methods', () => {
  test('[PM-40] [PM-04] [PM-09] [API-01] type 4: the first card is the default; cards and accounts stand in one list', async () => {
    await removeMethods()
    const first = await storeCard()
    const second = await storeCard({ CardNum: IPPAY_CARDS.mastercard, Expiry: '0430' })
    const account = await storeAccount()
    expect(await listMethods()).toEqual([
      { id: first, isDefault: true, sourceType: 'CC', ipPayCard: SHOWN_CARD },
      {
        id: second,
        isDefault: false,
        sourceType: 'CC',
        ipPayCard: { type: 'mastercard', number: '****5454', expiryMonth: 4, expiryYear: 2030 },
      },
      { id: account, isDefault: false, sourceType: 'ACH', ipPayBankAccount: { accNum: '****1999', routingNum: '071025661' } },
    ])
    expect((await payer.me.put(CARDS, { id: account })).statusCode).toBe(204)
    expect((await listMethods()).map(({ isDefault }) => isDefault)).toEqual([false, false, true])
    expect((await payer.me.remove(`${CARDS}/${account}`)).statusCode).toBe(204)
    expect(await listMethods()).toMatchObject([{ id: first, isDefault: true }, { id: second }])
    expect((await payer.me.remove(`${CARDS}/${first}`)).statusCode).toBe(204)
    expect(await listMethods()).toMatchObject([{ id: second, isDefault: true }])
    expect((await payer.me.remove(`${CARDS}/${first}`)).statusCode).toBe(404)
  })

  test('[PM-40] [PM-09] type 4: the template holds a sandboxed frame of another origin, and the paths are no other customer’s', async () => {
    const template = await templateOf(`${CARDS}/CC/templates`)
    expect(template).toContain('sandbox="allow-scripts allow-forms allow-same-origin"')
    expect(frameUrlIn(template).origin).toBe(new URL(fixture.sandbox.url).origin)
    expect((await payer.me.get(`${CARDS}/VISA/templates`)).statusCode).toBe(400)
    const [id, other] = [await storeCard({ CardNum: '6011111111111117' }), await connect()]
    expect(await listMethods(other)).toEqual([])
    expect((await other.me.remove(`${CARDS}/${id}`)).statusCode).toBe(404)
    expect((await other.me.put(CARDS, { id })).statusCode).toBe(404)
    expect((await payer.me.get('/v1/ec/payments/cards')).statusCode).toBe(404)
    const stripe = await addPayingCustomer(fixture)
    expect((await stripe.me.get(`${CARDS}/CC/templates`)).statusCode).toBe(404)
    expect((await stripe.me.post(CARDS, { token: 'x' })).statusCode).toBe(404)
  })

  test('[PM-40] type 4: a card on which a fraud screen remarks is stored, and says AFS-103; a declined one says so and is not', async () => {
    await removeMethods()
    const path = `${CARDS}/CC/templates`
    expect(await finish(await templateOf(path), { ...TYPED_CARD, CardNum: IPPAY_CARDS.screened })).toBe('AFS-103')
    expect(await listMethods()).toHaveLength(1)
    expect(await finish(await templateOf(path), { ...TYPED_CARD, CardNum: IPPAY_CARDS.declined })).toBe('DECLINED (005)')
    await fault('lookup', 'error')
    expect(await finish(await templateOf(path), TYPED_CARD)).toBe('We could not reach the payment provider. Please try again.')
    expect(await listMethods()).toHaveLength(1)
  })

  test('[PM-40] [API-01] type 4: a return that arrives again, or by the API, stores nothing twice', async () => {
    await removeMethods()
    const entered = await enter(await templateOf(`${CARDS}/CC/templates`), TYPED_CARD)
    const answers = await Promise.all([postReturn(entered), postReturn(entered)])
    expect(answers.map(({ body }) => messageIn(body).message)).toEqual(['000', '000'])
    const [stored] = await listMethods()
    expect((await payer.me.post(CARDS, { token: stateOf(entered) })).json()).toMatchObject({ status: 'succeeded', id: stored?.id })
    expect(await listMethods()).toHaveLength(1)
    const other = await connect()
    expect((await other.me.post(CARDS, { token: stateOf(entered) })).statusCode).toBe(400)
    expect(await listMethods(other)).toEqual([])
  })

  test('[PM-40] type 4: what the page posts is not believed: a lie stores nothing', async () => {
    await removeMethods()
    const url = new URL(frameUrlIn(await templateOf(`${CARDS}/CC/templates`)).searchParams.get('retUrl') ?? '')
    const lie = { ActionCode: '000', Token: '4B3J7E7D7K2A1000', CardExpMonth: '12', CardExpYear: '31', CardName: 'Ada Payer' }
    expect(messageIn((await postReturn({ url, fields: lie })).body).message).toBe('Nothing was entered. Please try again.')
    expect(await listMethods()).toEqual([])
  })
})

describe('the return of a frame', () => {
  test('[PM-40] type 4: its page runs in a sandbox of no origin, speaks to our portal alone, and holds texts as text', async () => {
    const url = new URL(frameUrlIn(await templateOf(`${CARDS}/CC/templates`)).searchParams.get('retUrl') ?? '')
    const answer = await postReturn({ url, fields: { ActionCode: '"><script>alert(1)</script>', ResponseText: '"><script>' } })
    expect(answer.headers['content-security-policy']).toMatch(
      /^sandbox allow-scripts; default-src 'none'; script-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors http:\/\/localhost:3000$/,
    )
    expect(answer.headers['x-frame-options']).toBeUndefined()
    expect(messageIn(answer.body)).toEqual({ message: 'script', origin: 'http://localhost:3000' })
    expect(answer.body).not.toContain('alert(1)')
  })

  test('[PM-40] [PAY-01] type 4: a state that is not ours, of another purpose or of an hour ago does nothing', async () => {
    const id = await invoice()
    const entered = await enter(await linkTemplate(id), TYPED_CARD)
    const [body = '', signature = ''] = stateOf(entered).split('.')
    const forged = Buffer.from(Buffer.from(body, 'base64url').toString().replace('link', 'bulk')).toString('base64url')
    for (const state of ['', '.', body, `${body}.${signature}A`, `${forged}.${signature}`, `${body}.${signature}.x`]) {
      const url = new URL(`/payment-return/${state}`, entered.url)
      expect((await postReturn({ url, fields: entered.fields })).statusCode, state).toBe(400)
    }
    expect((await payer.me.post(CARDS, { token: stateOf(entered) })).statusCode).toBe(400)
    const before = (await attempts()).length
    fixture.context.advance(3_600_001)
    expect((await postReturn(entered)).statusCode).toBe(400)
    expect(await attempts()).toHaveLength(before)
    expect((await sendRequest(fixture.app, { url: entered.url.pathname })).statusCode).toBe(400)
  })

  test('[PM-40] type 4: a session that has ended stores nothing and pays nothing', async () => {
    await removeMethods()
    const [store, pay] = [await templateOf(`${CARDS}/CC/templates`), await payer.intent(await invoice())]
    const bulk = await templateOf(`/v1/ec/ippay/pay/bulk-template/${pay.sessionId}`)
    await queryAsAdministrator(fixture.context, 'update session set ended_at = now() where ended_at is null', [])
    // A session is remembered for a second.
    fixture.context.advance(2_000)
    expect(await finish(store, TYPED_CARD)).toBe('Please sign in.')
    expect(await finish(bulk, TYPED_CARD)).toBe('Please sign in.')
    fixture.context.advance(300_000)
    expect(await listMethods()).toEqual([])
    expect(await payer.readIntent(pay.id)).toMatchObject({ status: 1 })
  })
})

describe('payment links', () => {
  test('[SP-03] [SP-04] type 4: an invoice is paid in the frame of its link, once, with a receipt', async () => {
    const ours = await connect({ payment_email_receipt: true })
    const id = await invoice(11_000, ours)
    const { token } = await paymentLinkOf(fixture.context, id)
    const details = await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })
    expect(details.json()).toMatchObject({ paymentType: 4, isFrame: true, requiredCardHolder: true, apiStatus: true, scriptUrl: null })
    const template = await linkTemplate(id)
    expect(Object.fromEntries(frameUrlIn(template).searchParams)).toMatchObject({
      trans_type: 'TOKENIZE',
      amount: '110.00',
      fields: 'name,email',
      required: 'name',
      button: `Pay ${details.json().currencySymbol.symbol}\u00A0110.00`,
    })
    const entered = await enter(template, { ...TYPED_CARD, Email: 'payer@example.com' })
    const messages = await Promise.all([postReturn(entered), postReturn(entered)])
    expect(messages.map(({ body }) => messageIn(body))).toEqual([
      { message: '000', origin: 'http://localhost:3000' },
      { message: '000', origin: 'http://localhost:3000' },
    ])
    const again = await postReturn(entered)
    expect(messageIn(again.body).message).toBe('000')
    // The screen around the frame says where the receipt goes.
    expect(again.body).toContain('data-receipt="payer@example.com"')
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
    expect(await lastAttempt()).toMatchObject({
      status: 'succeeded',
      receipt_email: 'payer@example.com',
      method_shown: { brand: 'visa', last4: '1000' },
    })
    expect((await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).json()).toMatchObject({ paymentStatus: 3 })
    expect((await sendRequest(fixture.app, { url: `/v1/ec/pay/${token}/template` })).statusCode).toBe(409)
  })

  test('[SP-03] [API-01] type 4: the API takes a frame’s state alone: no token, no id of a sale, no state of another link', async () => {
    const [id, other] = [await invoice(), await invoice()]
    const entered = await enter(await linkTemplate(other), TYPED_CARD)
    const { token, number } = await paymentLinkOf(fixture.context, id)
    const pay = (cardToken: string | undefined, uid = token, invoiceNumber = number) =>
      sendRequest(fixture.app, {
        method: 'POST',
        url: '/v1/ec/pay',
        payload: {
          uid,
          invoiceNumber,
          invoiceAmount: '110.00',
          cardHolder: 'Ada Payer',
          ...(cardToken === undefined ? {} : { cardToken }),
        },
      })
    for (const cardToken of [
      '4B3J7E7D7K2A1000',
      frameUrlIn(await linkTemplate(id)).searchParams.get('jp_tid') ?? '',
      stateOf(entered),
      undefined,
    ])
      expect((await pay(cardToken)).json(), cardToken).toMatchObject({ errors: [{ path: 'body.cardToken' }] })
    const link = await paymentLinkOf(fixture.context, other)
    expect((await pay(stateOf(entered), link.token, link.number)).json()).toMatchObject({ status: 'succeeded' })
    expect(messageIn((await postReturn(entered)).body).message).toBe('000')
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })

  test('[SP-02] [PAY-01] type 4: opening a frame and leaving it claims nothing and charges nothing', async () => {
    const id = await invoice()
    const before = (await attempts()).length
    await enter(await linkTemplate(id), TYPED_CARD)
    const url = new URL(frameUrlIn(await linkTemplate(id)).searchParams.get('retUrl') ?? '')
    for (const fields of [{ ActionCode: '005', ResponseText: 'DECLINED' }, {}])
      expect(messageIn((await postReturn({ url, fields })).body).message).toContain('DECLINED')
    expect(await attempts()).toHaveLength(before)
    // A page that lies gets as far as a payment without a card.
    expect(messageIn((await postReturn({ url, fields: { ActionCode: '000', CardName: 'Ada' } })).body).message).toBe(
      'Nothing was entered. Please try again.',
    )
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test.each([
    [11_005, 'Your card was declined.'],
    [11_051, 'Your card has insufficient funds.'],
    [11_054, 'Your card has expired, or its expiry date is incorrect.'],
    [11_082, 'The security code of your card is incorrect.'],
  ])('[SP-02] type 4: a payment of %i cents is declined with "%s", and can be tried again', async (minor, text) => {
    const id = await invoice(minor)
    const entered = await enter(await linkTemplate(id), TYPED_CARD)
    expect(messageIn((await postReturn(entered)).body).message).toBe(text)
    expect(messageIn((await postReturn(entered)).body).message).toBe(text)
    const { token } = await paymentLinkOf(fixture.context, id)
    expect((await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).json()).toMatchObject({
      paymentStatus: 4,
      paymentError: text,
    })
    expect(await payByFrame(id)).toBe(text)
  })

  test('[SP-02] type 4: an invoice whose amount has changed since is not paid, nor one that was paid elsewhere', async () => {
    const [changed, paid] = [await invoice(), await invoice()]
    const [first, second] = [await enter(await linkTemplate(changed), TYPED_CARD), await enter(await linkTemplate(paid), TYPED_CARD)]
    await queryAsAdministrator(fixture.context, 'update invoice set amount_due_minor = 9000 where id = $1', [changed])
    expect(messageIn((await postReturn(first)).body).message).toMatch(/^The amount has changed since it was shown\. .*…$/)
    expect(await payByFrame(paid)).toBe('000')
    expect(messageIn((await postReturn(second)).body).message).toMatch(/^The invoice has already been paid\./)
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })

  test('[SP-02] type 4: what the frame must ask for is asked for, and refused where it is missing all the same', async () => {
    const strict = await connect({ payment_billing_address_required: true, payment_email_receipt: true })
    const id = await invoice(11_000, strict)
    const template = await linkTemplate(id)
    await expect(enter(template, TYPED_CARD)).rejects.toThrow('Address is missing.')
    const address = {
      BillingAddress: '1 Quay Street',
      BillingCity: 'Omaha',
      BillingStateProv: 'NE',
      BillingPostalCode: '68102',
      BillingCountry: 'US',
    }
    const entered = await enter(template, { ...TYPED_CARD, ...address })
    const { BillingCity: _, ...withoutCity } = entered.fields
    expect(messageIn((await postReturn({ ...entered, fields: withoutCity })).body).message).toBe('Enter the whole billing address.')
    const number = { ...entered.fields, CardName: '4111111111111111' }
    expect(messageIn((await postReturn({ ...entered, fields: number })).body).message).toMatch(/^This looks like a card number\./)
    expect(messageIn((await postReturn(entered)).body).message).toBe('000')
  })
})

describe('several invoices', () => {
  test('[BP-03] [BP-04] [API-01] type 4: an intent is paid in the frame, once, and its state is read again', async () => {
    const intent = await payer.intent(await invoice(), await invoice(5_000))
    const template = await templateOf(`/v1/ec/ippay/pay/bulk-template/${intent.sessionId}`)
    expect(frameUrlIn(template).searchParams.get('amount')).toBe('160.00')
    const entered = await enter(template, TYPED_CARD)
    const answers = await Promise.all([postReturn(entered), postReturn(entered)])
    expect(answers.map(({ body }) => messageIn(body).message)).toEqual(['000', '000'])
    expect(await payer.readIntent(intent.id)).toMatchObject({ status: 3, total: 160 })
    expect(await listBooked()).toEqual([['succeeded', 16_000]])
    expect((await payer.me.get(`/v1/ec/ippay/pay/bulk-template/${intent.sessionId}`)).statusCode).toBe(409)
    const other = await connect()
    expect((await other.me.get(`/v1/ec/ippay/pay/bulk-template/${intent.sessionId}`)).statusCode).toBe(404)
    expect((await payer.me.get('/v1/ec/ippay/pay/bulk-template/nothing')).statusCode).toBe(404)
  })

  test('[BP-04] type 4: a declined payment in the frame fails the intent, which can be paid again', async () => {
    const intent = await payer.intent(await invoice(11_005))
    const path = `/v1/ec/ippay/pay/bulk-template/${intent.sessionId}`
    expect(await finish(await templateOf(path), TYPED_CARD)).toBe('Your card was declined.')
    expect(await payer.readIntent(intent.id)).toMatchObject({ status: 4, error: 'Your card was declined.' })
    expect(frameUrlIn(await templateOf(path)).searchParams.get('jp_tid')).toMatch(/^[A-HJ-NP-Z2-9]{18}$/)
  })

  test('[BP-03] [BP-05] type 4: a saved card pays, and a saved account by eCheck, which is paid when it is settled', async () => {
    const [card, account] = [await storeCard({ CardNum: '378282246310005', CVV2: '1234' }), await storeAccount()]
    expect((await payStored(card, await invoice())).json()).toMatchObject({ status: 'succeeded', intentStatus: 3 })
    const id = await invoice(5_000)
    expect((await payStored(account, id)).statusCode).toBe(400)
    expect((await payStored(account, id, 'eCheck')).json()).toMatchObject({ status: 'processing' })
    expect(await expectedDayOf(payer, id)).toBe(dayAfter(fixture.context, 2))
    expect((await setDebitDays(fixture.context, payer.resellerId, 3)).json()).toMatchObject({ debitDays: 3, hasCredentials: true })
    expect(await expectedDayOf(payer, id)).toBe(dayAfter(fixture.context, 3))
    await workAfter(61)
    expect(await lastAttempt()).toMatchObject({ status: 'processing', method_type: 'eCheck' })
    await settle('succeeded')
    await workAfter(24 * 60)
    expect(await lastAttempt()).toMatchObject({ status: 'succeeded' })
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
    expect(await listBooked()).toEqual([['succeeded', 5_000]])
  })

  test('[PAY-01] type 4: a debit that its bank refuses frees the invoice; one that comes back later opens it again', async () => {
    const [account, early, late] = [await storeAccount(), await invoice(5_000), await invoice(5_000)]
    await payStored(account, early, 'eCheck')
    await settle('failed')
    await workAfter(61)
    expect(await lastAttempt()).toMatchObject({ status: 'declined' })
    expect(await payer.readInvoice(early)).toMatchObject({ canPay: true })
    await payStored(account, late, 'eCheck')
    await settle('succeeded')
    await workAfter(61)
    expect(await payer.readInvoice(late)).toMatchObject({ invoiceStatus: 11 })
    await settle('returned')
    await run('payments reconcile', [], { reseller: String(payer.resellerId) })
    expect(await lastAttempt()).toMatchObject({ status: 'reversed' })
    expect(await payer.readInvoice(late)).toMatchObject({ canPay: true, amountDue: 50 })
  })
})

describe('answers that are lost', () => {
  test.each(['drop', 'error', 'garbage', 'wrong-amount'])(
    '[PAY-01] type 4: a charge that is lost (%s) is found by our reference',
    async (kind) => {
      const id = await invoice()
      await fault('charge', kind)
      expect(await payByFrame(id)).toBe('000')
      const { token } = await paymentLinkOf(fixture.context, id)
      await fault('lookup', 'drop')
      expect((await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).json()).toMatchObject({ paymentStatus: 2 })
      await workAfter(3)
      expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
      expect(await listBooked()).toEqual([['succeeded', 11_000]])
    },
  )

  test('[PAY-01] type 4: a charge that never arrived frees its invoice after a day, not before', async () => {
    const id = await invoice()
    await fault('charge', 'drop', false)
    expect(await payByFrame(id)).toBe('000')
    for (const minutes of [3, 6, 16, 61, 181, 721]) await workAfter(minutes)
    expect(await lastAttempt()).toMatchObject({ status: 'unknown' })
    expect(await payByFrame(id)).toBe('We are confirming your payment. Please do not pay again.')
    await workAfter(1_441)
    expect(await lastAttempt()).toMatchObject({ status: 'not_sent' })
    expect(await payByFrame(id)).toBe('000')
  })

  test('[PAY-01] type 4: fifty returns at once are one charge', async () => {
    const entered = await enter(await linkTemplate(await invoice()), TYPED_CARD)
    const answers = await Promise.all(Array.from({ length: 50 }, () => postReturn(entered)))
    expect(new Set(answers.map(({ body }) => messageIn(body).message))).toEqual(new Set(['000']))
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })
})

describe('what an operator does', () => {
  test('[OPS-03] type 4: the account is tested, and wrong settings are named', async () => {
    const name = String(payer.resellerId)
    expect((await run('reseller payments test', [name])).json()).toMatchObject({ provider: 'ippay', canCharge: true, country: 'US' })
    const options = { type: 'ippay', credentials: '-', address: `${fixture.sandbox.url}/ippay` }
    const wrong = await run('reseller payments set', [name], options, { '-': JSON.stringify({ ...ippaySettings('T'), hostedSecret: 'x' }) })
    expect(wrong.err.join()).toContain('The settings of ippay are not usable')
  })

  test('[PAY-01] type 4: autopay charges the default card of a customer who allows it, once', async () => {
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
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })

  test('[PAY-01] type 4: the whole is voided with one command; a part is credited, then the rest', async () => {
    await payByFrame(await invoice())
    const { id: whole } = await lastAttempt()
    expect((await run('payments refund', [whole], { yes: true })).json()).toMatchObject({
      attempt: { status: 'refunded', refunded: '110.00' },
    })
    expect(await listBooked()).toEqual([
      ['succeeded', 11_000],
      ['refunded', 11_000],
    ])
    await payByFrame(await invoice())
    const { id } = await lastAttempt()
    expect((await run('payments refund', [id], { yes: true, amount: '12.50' })).json()).toMatchObject({ refunded: '12.50' })
    expect((await run('payments look-up', [id])).json()).toMatchObject({ attempt: { refunded: '12.50' } })
    expect((await run('payments refund', [id], { yes: true })).json()).toMatchObject({ refunded: '97.50', attempt: { status: 'refunded' } })
  })

  test.each(['void', 'refund'])(
    '[PAY-01] type 4: a %s whose answer was lost is made once, however often the command is repeated',
    async (operation) => {
      await payByFrame(await invoice())
      const { id } = await lastAttempt()
      await fault(operation, 'drop')
      const options: Record<string, string | boolean> = operation === 'void' ? { yes: true } : { yes: true, amount: '40.00' }
      expect((await run('payments refund', [id], options)).err.join()).toContain('Nobody knows whether it was refunded')
      expect((await run('payments refund', [id], options)).json()).toMatchObject({ refunded: operation === 'void' ? '110.00' : '40.00' })
      expect(await listBooked()).toHaveLength(2)
    },
  )

  test('[PAY-01] type 4: reconciliation finds nothing among payments that agree, and what was voided at the desk', async () => {
    const ours = await connect()
    const card = await storeCard({}, ours)
    await ours.pay(await ours.intent(await invoice(11_000, ours)), { cardId: card, type: 'card' })
    fixture.context.advance(2 * 3_600_000)
    await syncClock()
    const compare = async () => {
      const { reconciled } = (await run('payments reconcile', [], { reseller: String(ours.resellerId) })).json<{
        reconciled: ({ provider: string; ours: number } & Record<'drifts', object[]>)[]
      }>()
      return reconciled.find(({ provider }) => provider === 'ippay')
    }
    expect(await compare()).toMatchObject({ ours: 1, drifts: [] })
    const { merchant_reference } = await lastAttempt()
    const xml = `<ippay><TransactionType>VOID</TransactionType><TerminalID>TERM${ours.resellerId}</TerminalID><TransactionID>${merchant_reference}</TransactionID></ippay>`
    await fetch(`${fixture.sandbox.url}/ippay/ippay`, { method: 'POST', headers: { 'content-type': 'text/xml' }, body: xml })
    expect(await compare()).toMatchObject({ drifts: [{ kind: 'refund', ours: '0.00', theirs: '110.00', isMended: true }] })
    expect(await compare()).toMatchObject({ drifts: [] })
    expect(await lastAttempt()).toMatchObject({ status: 'refunded' })
  })
})
