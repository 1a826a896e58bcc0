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
import { MONERIS_CARDS, MONERIS_SETTINGS } from '../../../../test/payments/moneris-context.ts'
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

const connect = async (rawCard: 'on' | 'off' = 'on', store = 'store'): Promise<PayingCustomer> => {
  const payer = await addPayingCustomer(fixture, { payment_type: 5, direct_debit_payment_method_id: null })
  const options = { type: 'moneris', credentials: '-', address: `${fixture.sandbox.url}/moneris`, rawCard }
  const set = await run('reseller payments set', [String(payer.resellerId)], options, {
    '-': JSON.stringify({ ...MONERIS_SETTINGS, storeId: `${store}${payer.resellerId}` }),
  })
  expect(set.json(), set.err.join()).toMatchObject({ provider: 'moneris', type: 5, rawCard: rawCard === 'on', hasCredentials: true })
  return payer
}

const payer = await connect()
const PATH = '/v1/ec/moneris/cards'
const CARD = {
  cardNumber: MONERIS_CARDS.visa,
  cvdValue: '739',
  expMonth: '12',
  expYear: '2031',
  phone: '604-555-0100',
  email: 'ada@payer.example',
}

const fault = (operation: string, kind: string, booked = true, times = 1) =>
  fixture.sandbox.fault({ provider: 'moneris', operation, kind, booked, times })

const store = async (more: object = {}, of = payer): Promise<string> => {
  const answer = await of.me.post(PATH, { ...CARD, ...more })
  expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
  return String(answer.json().id)
}
const listCards = async (of = payer): Promise<{ id: string; isDefault: boolean; monerisCard: object }[]> => (await of.me.get(PATH)).json()
const removeCards = async (): Promise<void> => {
  for (const { id } of await listCards()) await payer.me.remove(`${PATH}/${id}`)
}

const temporaryToken = async (): Promise<string> => {
  const response = await fetch(`${fixture.sandbox.url}/moneris/HPPtoken/tokenize`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'htprofile', pan: MONERIS_CARDS.visa, exp: '1231', cvd: '739' }),
  })
  return ((await response.json()) as { dataKey: string }).dataKey
}

/** A moment later, so that attempts can be told apart by their time. */
const invoice = (minor = 11_000, of = payer): Promise<number> => {
  fixture.context.advance(1_000)
  return of.invoice({ currency: 'CAD', net_minor: minor, amount_minor: minor, amount_due_minor: minor })
}

const TYPED = { cardToken: undefined, cardNumber: MONERIS_CARDS.visa, expirationDate: '2031-12', cardCode: '739', cardHolder: 'Ada Payer' }

const payTyped = (invoiceId: number, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  payByLink(fixture, invoiceId, '', { ...TYPED, ...more }, headers)

const payStored = async (cardId: string, invoiceId: number): Promise<Answer> =>
  payer.pay(await payer.intent(invoiceId), { cardId, type: 'card' })

const lastAttempt = async (): Promise<{ id: string; merchant_reference: string; status: string }> => {
  const [attempt] = await queryAsAdministrator<{ id: string; merchant_reference: string; status: string }>(
    fixture.context,
    'select id, merchant_reference, provider_ref, method_shown, status from payment_attempt order by created_at desc limit 1',
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

describe('stored cards', () => {
  test('[PM-04] [PM-09] [PM-50] [API-01] moneris: the first card is the default; another becomes it, and the first one left when it is removed', async () => {
    await removeCards()
    const first = await store()
    const second = await store({ cardNumber: '5454 5454 5454 5454', expMonth: 7, expYear: 30, phone: '', email: '' })
    expect(await listCards()).toEqual([
      {
        id: first,
        isDefault: true,
        monerisCard: { cardNumber: '***4242', brand: 'visa', month: 12, year: 2031, phone: '604-555-0100', email: 'ada@payer.example' },
      },
      {
        id: second,
        isDefault: false,
        monerisCard: { cardNumber: '***5454', brand: 'mastercard', month: 7, year: 2030, phone: null, email: null },
      },
    ])
    expect((await payer.me.put('/v1/ec/moneris/customer-default-source', { id: second })).statusCode).toBe(204)
    expect((await listCards()).map(({ isDefault }) => isDefault)).toEqual([false, true])
    expect((await payer.me.remove(`${PATH}/${second}`)).statusCode).toBe(204)
    expect(await listCards()).toMatchObject([{ id: first, isDefault: true }])
    expect((await payer.me.remove(`${PATH}/${second}`)).statusCode).toBe(404)
  })

  test('[PM-09] [PM-50] moneris: the paths of other providers do not exist, and these are no other customer’s', async () => {
    expect((await payer.me.get('/v1/ec/payments/cards')).statusCode).toBe(404)
    const [id, other] = [await store(), await connect()]
    expect(await listCards(other)).toEqual([])
    expect((await other.me.remove(`${PATH}/${id}`)).statusCode).toBe(404)
    expect((await other.me.put('/v1/ec/moneris/customer-default-source', { id })).statusCode).toBe(404)
  })

  test.each([
    [{ cardNumber: '4242424242424241' }, 'body.cardNumber'],
    [{ cardNumber: undefined }, 'body.cardNumber'],
    [{ cvdValue: '12' }, 'body.cvdValue'],
    [{ cvdValue: undefined }, 'body.cvdValue'],
    [{ expMonth: '13' }, 'body.expMonth'],
    [{ expYear: '2020' }, 'body.expMonth'],
    [{ expYear: undefined }, 'body.expMonth'],
    [{ email: 'ada' }, 'body.email'],
    [{ token: 'ot-abc' }, 'body.cardNumber'],
  ])('[PM-08] [PM-50] moneris: a card that cannot be right is refused at its field: %j', async (change, field) => {
    const refused = await payer.me.post(PATH, { ...CARD, ...change })
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ path: field })] }),
    ])
    expect(refused.body).not.toContain('4242')
  })

  test.each([
    [{ cvdValue: '999' }, 'The security code of your card is incorrect.'],
    [{ cardNumber: '4539578763621486' }, 'This card cannot be used. Please check its number, or use another card.'],
  ])('[PM-06] [PM-50] moneris: a card that is not stored says why: %j', async (change, userMessage) => {
    const before = (await listCards()).length
    const refused = await payer.me.post(PATH, { ...CARD, ...change })
    expect([refused.statusCode, refused.json()]).toMatchObject([400, { code: 'method_declined', userMessage }])
    expect(await listCards()).toHaveLength(before)
  })

  test('[PM-06] [PM-50] moneris: a card whose storing has no answer is not listed, and can be stored again', async () => {
    await fault('store', 'drop')
    expect((await payer.me.post(PATH, CARD)).statusCode).toBe(503)
    await store()
  })

  test('[PM-09] [PM-50] [PAY-01] moneris: without the switch for card numbers a token takes their place, and a number is refused', async () => {
    const [careful, order] = [await connect('off'), CARD]
    const refused = await careful.me.post(PATH, order)
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('Send the token of the card')])
    const { fields } = (await careful.me.post('/v1/ec/payments/card-fields', {})).json<{ fields: { frameUrl: string } }>()
    expect(fields.frameUrl).toBe(
      `${fixture.sandbox.url}/moneris/HPPtoken/index.php?id=htprofile&pmmsg=true&enable_exp=1&enable_cvd=1&display_labels=1`,
    )
    const token = await temporaryToken()
    expect((await careful.me.post(PATH, { token, phone: '', email: '' })).json()).toMatchObject({ status: 'succeeded' })
    expect(await listCards(careful)).toMatchObject([{ monerisCard: { cardNumber: '***4242', month: 12, year: 2031 } }])
    expect((await careful.me.post(PATH, { token: 'WBtBt9oUcBbVsCoeMVSnFdUb4' })).statusCode).toBe(400)

    const toPay = await invoice(11_000, careful)
    const { token: uid } = await paymentLinkOf(fixture.context, toPay)
    const started = await sendRequest(fixture.app, { method: 'POST', url: `/v1/ec/pay/${uid}/card-fields` })
    expect(JSON.parse(started.body)).toEqual({ fields })
    expect((await payTyped(toPay)).statusCode).toBe(400)
    expect((await payByLink(fixture, toPay, await temporaryToken())).json()).toMatchObject({ status: 'succeeded', intentStatus: 3 })
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })
})

describe('payments', () => {
  test('[SP-01] [SP-03] moneris: the public page gets what it needs, and pays by the card as it is typed', async () => {
    const id = await invoice()
    const { token } = await paymentLinkOf(fixture.context, id)
    const details = JSON.parse((await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).body)
    expect(details).toMatchObject({
      paymentType: 5,
      integrationType: null,
      scriptUrl: null,
      isFrame: false,
      takesCardNumbers: true,
      apiStatus: true,
    })
    expect((await payTyped(id)).json()).toMatchObject({ status: 'succeeded', intentStatus: 3 })
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11, amountDue: 0 })
    expect(await lastAttempt()).toMatchObject({
      merchant_reference: expect.stringMatching(/^[A-HJ-NP-Z2-9]{20}$/),
      provider_ref: expect.stringMatching(/^\d+-0_\d+$/),
      method_shown: { brand: 'visa', last4: '4242' },
    })
  })

  test('[BP-03] [BP-05] moneris: a stored card pays several invoices', async () => {
    const [card, one, two] = [await store(), await invoice(), await invoice(2_500)]
    const intent = await payer.intent(one, two)
    expect((await payer.pay(intent, { cardId: card, type: 'card' })).json()).toMatchObject({ status: 'succeeded' })
    expect(await listBooked()).toEqual([['succeeded', 13_500]])
  })

  test.each([
    [105, 'Your card was declined.'],
    [120, 'The security code of your card is incorrect.'],
    [154, 'Your card has expired, or its expiry date is incorrect.'],
    [168, 'Your bank could not be reached. Please try again later.'],
    [5_500, 'Your card was declined.'],
  ])('[SP-04] [BP-04] moneris: %i cents are declined, and the invoice can be paid again', async (minor, userMessage) => {
    const id = await invoice(minor)
    const amount = { invoiceAmount: (minor / 100).toFixed(2) }
    expect((await payTyped(id, amount)).json()).toMatchObject({ userMessage })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
    expect(await listBooked()).toEqual([])
  })

  test('[PAY-01] moneris: another currency than Canadian dollars is refused before anything is sent', async () => {
    const id = await payer.invoice({ currency: 'USD' })
    expect((await payTyped(id)).json()).toMatchObject({ code: 'currency_not_accepted' })
  })

  test.each(['drop', 'error', 'garbage', 'twice'])(
    '[PAY-01] moneris: a charge that is lost (%s) is found by its order id, and never sent again',
    async (kind) => {
      const id = await invoice()
      await fault('charge', kind)
      const key = { 'idempotency-key': `press ${kind}` }
      expect((await payTyped(id, {}, key)).json()).toMatchObject({ status: 'processing' })
      expect((await payTyped(id, {}, key)).json()).not.toMatchObject({ status: 'declined' })
      await runWorkerAfter(fixture, 120_000)
      expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
      expect((await listBooked()).filter(([status]) => status === 'succeeded')).toEqual([['succeeded', 11_000]])
    },
  )

  test('[PAY-01] moneris: a charge that is not found stays unknown for ever, until a person decides', async () => {
    const id = await invoice()
    await fault('charge', 'drop', false)
    expect((await payTyped(id)).json()).toMatchObject({ status: 'processing' })
    const attempt = await lastAttempt()
    const { token } = await paymentLinkOf(fixture.context, id)
    const details = await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })
    expect(details.json().payment).toMatchObject({ isUnderReview: false, unknownOutcome: { endsBy: null } })
    for (const minutes of [2, 5, 20, 60, 600, 2_000, 2_000, 2_000, 2_000, 2_000, 2_000, 2_000])
      await runWorkerAfter(fixture, minutes * 60_000)
    expect(await lastAttempt()).toMatchObject({ id: attempt.id, status: 'manual' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: false })
    const settled = await run('payments settle', [attempt.id], { as: 'failed', reason: 'not in the Merchant Resource Center', yes: true })
    expect([settled.code, settled.err]).toEqual([0, []])
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test('[PAY-01] moneris: a decline whose answer was lost is found, and the invoice can be paid again', async () => {
    const [card, id] = [await store(), await invoice(105)]
    await fault('charge', 'drop')
    expect((await payStored(card, id)).json()).toMatchObject({ status: 'processing' })
    await runWorkerAfter(fixture, 120_000)
    expect(await lastAttempt()).toMatchObject({ status: 'declined' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test('[PAY-01] moneris: fifty presses at once are one charge', async () => {
    const [card, id] = [await store(), await invoice()]
    const intent = await payer.intent(id)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => payer.pay(intent, { cardId: card, type: 'card' }, { 'idempotency-key': 'one press' })),
    )
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })
})

describe('what an operator does', () => {
  test('[OPS-03] moneris: the account is tested, and wrong settings are named', async () => {
    const name = String(payer.resellerId)
    expect((await run('reseller payments test', [name])).json()).toMatchObject({ provider: 'moneris', canCharge: true, country: 'CA' })
    const set = async (settings: object) =>
      (
        await run(
          'reseller payments set',
          [name],
          { type: 'moneris', credentials: '-', address: `${fixture.sandbox.url}/moneris` },
          { '-': JSON.stringify(settings) },
        )
      ).err
    expect((await set({ apiToken: '' })).join()).toContain('The settings of moneris are not usable')
  })

  test('[PAY-01] moneris: autopay charges the default card of a customer who allows it, once', async () => {
    const consenting = await connect()
    await store({}, consenting)
    await consenting.me.put('/v1/ec/allow-reseller-charge', { allowResellerCharge: true })
    await run('reseller payments set', [String(consenting.resellerId)], { askPermission: 'on' })
    fixture.context.advance(1_000)
    const id = await consenting.invoice({ currency: 'CAD', due_on: fixture.context.clock().toISOString().slice(0, 10) })
    const autopay = async () =>
      (await run('autopay run', [], { reseller: String(consenting.resellerId) })).json<{ payments: object[] }>().payments
    expect(await autopay()).toMatchObject([{ outcome: 'paid', amount: '110.00' }])
    expect(await autopay()).toEqual([])
    expect(await consenting.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
    expect(await listBooked()).toEqual([['succeeded', 11_000]])
  })

  test('[PAY-01] moneris: all of a payment is voided on its day, with one command; the invoice stays paid', async () => {
    const id = await invoice()
    await payTyped(id)
    const { id: attempt } = await lastAttempt()
    const refunded = await run('payments refund', [attempt], { yes: true })
    expect(refunded.json(), refunded.err.join()).toMatchObject({ refunded: '110.00', attempt: { status: 'refunded', refunded: '110.00' } })
    expect(await listBooked()).toEqual([
      ['succeeded', 11_000],
      ['refunded', 11_000],
    ])
    expect((await run('payments refund', [attempt], { yes: true })).err.join()).toContain('The whole payment was returned already.')
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
  })

  test('[PAY-01] moneris: a part is refunded, then the rest; look-ups in between take nothing back', async () => {
    await payTyped(await invoice())
    const { id: attempt } = await lastAttempt()
    expect((await run('payments refund', [attempt], { yes: true, amount: '12.50' })).json()).toMatchObject({ refunded: '12.50' })
    expect((await run('payments look-up', [attempt])).json()).toMatchObject({ attempt: { refunded: '12.50' } })
    expect((await run('payments refund', [attempt], { yes: true })).json()).toMatchObject({
      refunded: '97.50',
      attempt: { status: 'refunded' },
    })
    expect(await listBooked()).toEqual([
      ['succeeded', 11_000],
      ['refunded', 1_250],
      ['refunded', 9_750],
    ])
  })

  test('[PAY-01] moneris: a payment that an operator has seen there is refunded by its number, and not without it', async () => {
    const ours = await connect('on', 'nostatus')
    /** Pays, loses the answer, and finds nothing for an hour. */
    const payUnfound = async (): Promise<{ id: string; number: string; invoiceId: number }> => {
      const invoiceId = await invoice(11_000, ours)
      await fault('charge', 'drop')
      await payTyped(invoiceId)
      await runWorkerAfter(fixture, 3_700_000)
      const { id, merchant_reference, status } = await lastAttempt()
      expect(status).toBe('unknown')
      const number = (await fixture.sandbox.ledger()).find(({ reference }) => reference === merchant_reference)?.id ?? ''
      return { id, number, invoiceId }
    }
    const settle = (id: string, more: Record<string, string> = {}) =>
      run('payments settle', [id], { as: 'paid', reason: 'in the Merchant Resource Center', yes: true, ...more })
    const refund = (id: string) => run('payments refund', [id], { yes: true, amount: '40.00' })
    const first = await payUnfound()
    expect((await settle(first.id)).err).toEqual([])
    expect((await refund(first.id)).err.join()).toContain('Nothing was refunded: the TransID of the payment is not known')
    const second = await payUnfound()
    for (const [more, words] of [
      [{ number: MONERIS_CARDS.visa }, '--number'],
      [{ number: '' }, '--number'],
      [{ number: second.number, as: 'failed' }, 'needs no number'],
    ] as const)
      expect((await settle(second.id, more)).err.join()).toContain(words)
    expect((await settle(second.id, { number: second.number })).err).toEqual([])
    expect(await ours.readInvoice(second.invoiceId)).toMatchObject({ invoiceStatus: 11 })
    expect((await refund(second.id)).json()).toMatchObject({ refunded: '40.00' })
    expect(await listBooked()).toEqual([
      ['succeeded', 11_000],
      ['refunded', 4_000],
    ])
    const third = await payUnfound()
    expect((await settle(third.id, { number: second.number })).err.join()).toContain('Another payment has the number')
    expect((await settle(third.id, { number: third.number })).err).toEqual([])
  })

  test.each([
    ['made', true, 0],
    ['notMade', false, 1],
  ])('[PAY-01] moneris: a refund without an answer is not sent again until somebody has looked (%s)', async (saw, booked, sentAgain) => {
    await payTyped(await invoice())
    const { id: attempt } = await lastAttempt()
    await fault('refund', 'drop', booked)
    const partly = { yes: true, amount: '40.00' }
    expect((await run('payments refund', [attempt], partly)).err.join()).toContain('Nobody knows whether it was refunded')
    expect((await run('payments refund', [attempt], partly)).code).toBe(1)
    expect(await listBooked()).toHaveLength(booked ? 2 : 1)
    const seen = await run('payments refund', [attempt], { ...partly, [saw]: true })
    expect(seen.json(), seen.err.join()).toMatchObject({ refunded: '40.00', attempt: { refunded: '40.00' } })
    expect(await listBooked()).toEqual([
      ['succeeded', 11_000],
      ['refunded', 4_000],
    ])
    expect((await listBooked()).length - (booked ? 2 : 1)).toBe(sentAgain)
  })
})
