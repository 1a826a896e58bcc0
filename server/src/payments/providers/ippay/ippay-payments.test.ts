import { describe, expect, test } from 'vitest'
import { addPayingCustomer, paymentLinkOf, type PayingCustomer } from '../../../../test/payments/payments-fixture.ts'
import {
  frameUrlIn,
  type HostedReturn,
  IPPAY,
  IPPAY_CARDS,
  messageIn,
  stateOf,
  submitHostedPage,
  TYPED_ACCOUNT,
  TYPED_CARD,
} from '../../../../test/payments/providers/ippay.driver.ts'
import { type ConnectOptions, useProviderPayers } from '../../../../test/payments/providers/provider-payer.ts'
import { type Answer, sendRequest } from '../../../../test/support/http-client.ts'
import { queryAsAdministrator } from '../../../../test/support/people.ts'

const { fixture, connect } = await useProviderPayers()
const CARDS = '/v1/ec/ippay/cards'
const TEMPLATE = `${CARDS}/CC/templates`

type Typed = Readonly<Record<string, string>>

/** Does what the browser does at the end of the hosted page. */
const postReturn = ({ url, fields }: HostedReturn): Promise<Answer> =>
  sendRequest(fixture.app, {
    method: 'POST',
    url: url.pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: fixture.sandbox.url, 'sec-fetch-site': 'cross-site' },
    payload: new URLSearchParams(fields).toString(),
  })
/** What the screen is told. */
const messageOf = async (entered: HostedReturn): Promise<string> => messageIn((await postReturn(entered)).body).message

const loadTemplate = async (payer: PayingCustomer, path = TEMPLATE): Promise<string> => {
  const answer = await payer.me.get(path)
  expect([answer.statusCode, answer.headers['content-type']], answer.body).toEqual([200, 'text/html; charset=utf-8'])
  return answer.body
}
const enterCard = (template: string, typed: Typed = {}): Promise<HostedReturn> =>
  submitHostedPage(frameUrlIn(template), { ...TYPED_CARD, ...typed })
const enterToStore = async (payer: PayingCustomer, typed?: Typed) => enterCard(await loadTemplate(payer), typed)
/** The address to which a template's frame returns. */
const returnUrlOf = (template: string): URL => new URL(frameUrlIn(template).searchParams.get('retUrl') ?? '')

/** A customer who pays in the frame of a link. */
const connectPayer = async (reseller: ConnectOptions['reseller'] = {}) => {
  const own = await connect(IPPAY, { reseller })
  const linkTemplate = async (invoice: number) => (await own.linkPage(invoice)).loadTemplate()
  return {
    ...own,
    linkTemplate,
    enterAtLink: async (invoice: number, typed?: Typed) => enterCard(await linkTemplate(invoice), typed),
    readLink: async (invoice: number) => {
      const { token } = await paymentLinkOf(fixture.context, invoice)
      return (await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).json()
    },
    countAttempts: async () =>
      (await queryAsAdministrator(fixture.context, 'select id from payment_attempt where customer_id = $1', [own.payer.customerId])).length,
  }
}

describe('stored methods', () => {
  test('[PM-40] [PM-09] type 4: the template holds a sandboxed frame of another origin, for customers of this provider alone', async () => {
    const { payer } = await connectPayer()
    const template = await loadTemplate(payer)
    expect(template).toContain('sandbox="allow-scripts allow-forms allow-same-origin"')
    expect(frameUrlIn(template).origin).toBe(new URL(fixture.sandbox.url).origin)
    expect((await payer.me.get(`${CARDS}/VISA/templates`)).statusCode).toBe(400)
    const stripe = await addPayingCustomer(fixture)
    expect((await stripe.me.get(TEMPLATE)).statusCode).toBe(404)
    expect((await stripe.me.post(CARDS, { token: 'x' })).statusCode).toBe(404)
  })

  test('[PM-40] type 4: a card on which a fraud screen remarks is stored, and says AFS-103; a declined one says so and is not', async () => {
    const { payer, fault, list } = await connectPayer()
    expect(await messageOf(await enterToStore(payer, { CardNum: IPPAY_CARDS.screened }))).toBe('AFS-103')
    expect(await list()).toHaveLength(1)
    expect(await messageOf(await enterToStore(payer, { CardNum: IPPAY_CARDS.declined }))).toBe('DECLINED (005)')
    await fault('lookup', 'error')
    expect(await messageOf(await enterToStore(payer))).toBe('We could not reach the payment provider. Please try again.')
    expect(await list()).toHaveLength(1)
  })

  test('[PM-40] [API-01] type 4: a return that arrives again, or by the API, stores nothing twice', async () => {
    const { payer, list } = await connectPayer()
    const entered = await enterToStore(payer)
    expect(await Promise.all([messageOf(entered), messageOf(entered)])).toEqual(['000', '000'])
    const [stored] = await list()
    expect(stored).toMatchObject({ ipPayCard: { type: 'visa', number: '****1000', expiryMonth: 12, expiryYear: 2031 } })
    expect((await payer.me.post(CARDS, { token: stateOf(entered) })).json()).toMatchObject({ status: 'succeeded', id: stored?.id })
    expect(await list()).toHaveLength(1)
    const other = await connectPayer()
    expect((await other.payer.me.post(CARDS, { token: stateOf(entered) })).statusCode).toBe(400)
    expect(await other.list()).toEqual([])
  })

  test('[PM-40] type 4: an account is stored with the routing number that was typed', async () => {
    const { payer, list } = await connectPayer()
    const template = await loadTemplate(payer, `${CARDS}/ACH/templates`)
    expect(await messageOf(await submitHostedPage(frameUrlIn(template), TYPED_ACCOUNT))).toBe('000')
    expect(await list()).toMatchObject([{ ipPayBankAccount: { accNum: '****1999', routingNum: '071025661' } }])
  })

  test('[PM-40] type 4: what the page posts is not believed: a lie stores nothing', async () => {
    const { payer, list } = await connectPayer()
    const url = returnUrlOf(await loadTemplate(payer))
    const lie = { ActionCode: '000', Token: '4B3J7E7D7K2A1000', CardExpMonth: '12', CardExpYear: '31', CardName: 'Ada Payer' }
    expect(await messageOf({ url, fields: lie })).toBe('Nothing was entered. Please try again.')
    expect(await list()).toEqual([])
  })
})

describe('the return of a frame', () => {
  test('[PM-40] type 4: its page runs in a sandbox of no origin, speaks to our portal alone, and holds texts as text', async () => {
    const { payer } = await connectPayer()
    const url = returnUrlOf(await loadTemplate(payer))
    const answer = await postReturn({ url, fields: { ActionCode: '"><script>alert(1)</script>', ResponseText: '"><script>' } })
    expect(answer.headers['content-security-policy']).toMatch(
      /^sandbox allow-scripts; default-src 'none'; script-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors http:\/\/localhost:3000$/,
    )
    expect(answer.headers['x-frame-options']).toBeUndefined()
    expect(messageIn(answer.body)).toEqual({ message: 'script', origin: 'http://localhost:3000' })
    expect(answer.body).not.toContain('alert(1)')
  })

  test('[PM-40] [PAY-01] type 4: a state that is not ours, of another purpose or of an hour ago does nothing', async () => {
    const { payer, invoice, enterAtLink, countAttempts } = await connectPayer()
    const entered = await enterAtLink(await invoice())
    const [body = '', signature = ''] = stateOf(entered).split('.')
    const forged = Buffer.from(Buffer.from(body, 'base64url').toString().replace('link', 'bulk')).toString('base64url')
    for (const state of ['', '.', body, `${body}.${signature}A`, `${forged}.${signature}`, `${body}.${signature}.x`]) {
      const url = new URL(`/payment-return/${state}`, entered.url)
      expect((await postReturn({ url, fields: entered.fields })).statusCode, state).toBe(400)
    }
    expect((await payer.me.post(CARDS, { token: stateOf(entered) })).statusCode).toBe(400)
    fixture.context.advance(3_600_001)
    expect((await postReturn(entered)).statusCode).toBe(400)
    expect(await countAttempts()).toBe(0)
    expect((await sendRequest(fixture.app, { url: entered.url.pathname })).statusCode).toBe(400)
  })

  test('[PM-40] type 4: a session that has ended stores nothing and pays nothing', async () => {
    const { payer, invoice, list } = await connectPayer()
    const [store, intent] = [await loadTemplate(payer), await payer.intent(await invoice())]
    const bulk = await loadTemplate(payer, `/v1/ec/ippay/pay/bulk-template/${intent.sessionId}`)
    await queryAsAdministrator(fixture.context, 'update session set ended_at = now() where ended_at is null', [])
    // A session is remembered for a second.
    fixture.context.advance(2_000)
    for (const template of [store, bulk]) expect(await messageOf(await enterCard(template))).toBe('Please sign in.')
    fixture.context.advance(300_000)
    expect(await list()).toEqual([])
    expect(await payer.readIntent(intent.id)).toMatchObject({ status: 1 })
  })
})

describe('payment links', () => {
  test('[SP-03] [SP-04] type 4: an invoice is paid in the frame of its link, once, with a receipt', async () => {
    const { invoice, linkTemplate, readLink, attemptOf, bookedFor } = await connectPayer({ payment_email_receipt: true })
    const id = await invoice()
    const details = await readLink(id)
    const template = await linkTemplate(id)
    expect(Object.fromEntries(frameUrlIn(template).searchParams)).toMatchObject({
      trans_type: 'TOKENIZE',
      amount: '110.00',
      fields: 'name,email',
      required: 'name',
      button: `Pay ${details.currencySymbol.symbol}\u00A0110.00`,
    })
    const entered = await enterCard(template, { Email: 'payer@example.com' })
    const paid = { message: '000', origin: 'http://localhost:3000' }
    const answers = await Promise.all([postReturn(entered), postReturn(entered)])
    expect(answers.map(({ body }) => messageIn(body))).toEqual([paid, paid])
    // The screen around the frame says where the receipt goes.
    expect((await postReturn(entered)).body).toContain('data-receipt="payer@example.com"')
    expect(await bookedFor(id)).toEqual([['succeeded', 11_000]])
    expect(await attemptOf(id)).toMatchObject({ status: 'succeeded', receiptEmail: 'payer@example.com' })
    expect(await readLink(id)).toMatchObject({ paymentStatus: 3 })
    const { token } = await paymentLinkOf(fixture.context, id)
    expect((await sendRequest(fixture.app, { url: `/v1/ec/pay/${token}/template` })).statusCode).toBe(409)
  })

  test('[SP-03] [API-01] type 4: the API takes a frame’s state alone: no token, no id of a sale, no state of another link', async () => {
    const { invoice, linkTemplate, enterAtLink, payByLink, bookedFor } = await connectPayer()
    const [id, other] = [await invoice(), await invoice()]
    const entered = await enterAtLink(other)
    const sale = frameUrlIn(await linkTemplate(id)).searchParams.get('jp_tid') ?? ''
    for (const cardToken of ['4B3J7E7D7K2A1000', sale, stateOf(entered), undefined])
      expect((await payByLink(id, { cardToken })).json(), cardToken).toMatchObject({ errors: [{ path: 'body.cardToken' }] })
    expect((await payByLink(other, { cardToken: stateOf(entered) })).json()).toMatchObject({ status: 'succeeded' })
    expect(await messageOf(entered)).toBe('000')
    expect(await bookedFor(other)).toEqual([['succeeded', 11_000]])
  })

  test('[SP-02] [PAY-01] type 4: opening a frame and leaving it claims nothing and charges nothing', async () => {
    const { payer, invoice, linkTemplate, enterAtLink, countAttempts } = await connectPayer()
    const id = await invoice()
    await enterAtLink(id)
    const url = returnUrlOf(await linkTemplate(id))
    for (const fields of [{ ActionCode: '005', ResponseText: 'DECLINED' }, {}])
      expect(await messageOf({ url, fields })).toContain('DECLINED')
    expect(await countAttempts()).toBe(0)
    // A page that lies gets as far as a payment without a card.
    expect(await messageOf({ url, fields: { ActionCode: '000', CardName: 'Ada' } })).toBe('Nothing was entered. Please try again.')
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })

  test('[SP-02] type 4: a payment that is declined says so, also when it is told again, and can be tried again', async () => {
    const { invoice, enterAtLink, readLink } = await connectPayer()
    const id = await invoice(11_051)
    const entered = await enterAtLink(id)
    const text = 'Your card has insufficient funds.'
    expect([await messageOf(entered), await messageOf(entered)]).toEqual([text, text])
    expect(await readLink(id)).toMatchObject({ paymentStatus: 4, paymentError: text })
    expect(await messageOf(await enterAtLink(id))).toBe(text)
  })

  test('[SP-02] type 4: an invoice whose amount has changed since is not paid, nor one that was paid elsewhere', async () => {
    const { invoice, enterAtLink, bookedFor } = await connectPayer()
    const [changed, paid] = [await invoice(), await invoice()]
    const [first, second] = [await enterAtLink(changed), await enterAtLink(paid)]
    await queryAsAdministrator(fixture.context, 'update invoice set amount_due_minor = 9000 where id = $1', [changed])
    expect(await messageOf(first)).toMatch(/^The amount has changed since it was shown\. .*…$/)
    expect(await messageOf(await enterAtLink(paid))).toBe('000')
    expect(await messageOf(second)).toMatch(/^The invoice has already been paid\./)
    expect(await bookedFor(paid)).toEqual([['succeeded', 11_000]])
  })

  test('[SP-02] type 4: what the frame must ask for is asked for, and refused where it is missing all the same', async () => {
    const { invoice, linkTemplate } = await connectPayer({ payment_billing_address_required: true, payment_email_receipt: true })
    const template = await linkTemplate(await invoice())
    await expect(enterCard(template)).rejects.toThrow('Address is missing.')
    const street = { BillingAddress: '1 Quay Street', BillingStateProv: 'NE', BillingPostalCode: '68102', BillingCountry: 'US' }
    const entered = await enterCard(template, { ...street, BillingCity: 'Omaha' })
    const { BillingCity: _, ...withoutCity } = entered.fields
    expect(await messageOf({ ...entered, fields: withoutCity })).toBe('Enter the whole billing address.')
    const number = { ...entered.fields, CardName: '4111111111111111' }
    expect(await messageOf({ ...entered, fields: number })).toMatch(/^This looks like a card number\./)
    expect(await messageOf(entered)).toBe('000')
  })

  test('[PAY-01] type 4: fifty returns at once are one charge', async () => {
    const { invoice, enterAtLink, bookedFor } = await connectPayer()
    const id = await invoice()
    const entered = await enterAtLink(id)
    expect(new Set(await Promise.all(Array.from({ length: 50 }, () => messageOf(entered))))).toEqual(new Set(['000']))
    expect(await bookedFor(id)).toEqual([['succeeded', 11_000]])
  })

  test('[PAY-01] type 4: while a charge has no answer its link is being confirmed, and nobody pays again', async () => {
    const { payer, invoice, linkTemplate, enterAtLink, fault, readLink, workAfter } = await connectPayer()
    const id = await invoice()
    const [entered, again] = [await enterAtLink(id), await linkTemplate(id)]
    await fault('charge', 'wrong-amount')
    expect(await messageOf(entered)).toBe('000')
    await fault('lookup', 'drop')
    expect(await readLink(id)).toMatchObject({ paymentStatus: 2 })
    await fault('lookup', 'drop')
    expect(await messageOf(await enterCard(again))).toBe('We are confirming your payment. Please do not pay again.')
    await workAfter(3)
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
  })
})

describe('several invoices', () => {
  test('[BP-03] [BP-04] [API-01] type 4: an intent is paid in the frame, once, and its state is read again', async () => {
    const { payer, invoice, bookedFor } = await connectPayer()
    const [one, two] = [await invoice(), await invoice(5_000)]
    const intent = await payer.intent(one, two)
    const path = `/v1/ec/ippay/pay/bulk-template/${intent.sessionId}`
    const template = await loadTemplate(payer, path)
    expect(frameUrlIn(template).searchParams.get('amount')).toBe('160.00')
    const entered = await enterCard(template)
    expect(await Promise.all([messageOf(entered), messageOf(entered)])).toEqual(['000', '000'])
    expect(await payer.readIntent(intent.id)).toMatchObject({ status: 3, total: 160 })
    expect(await bookedFor(one)).toEqual([['succeeded', 16_000]])
    expect((await payer.me.get(path)).statusCode).toBe(409)
    expect((await (await connectPayer()).payer.me.get(path)).statusCode).toBe(404)
    expect((await payer.me.get('/v1/ec/ippay/pay/bulk-template/nothing')).statusCode).toBe(404)
  })

  test('[BP-04] type 4: a declined payment in the frame fails the intent, which can be paid again', async () => {
    const { payer, invoice } = await connectPayer()
    const intent = await payer.intent(await invoice(11_005))
    const path = `/v1/ec/ippay/pay/bulk-template/${intent.sessionId}`
    expect(await messageOf(await enterCard(await loadTemplate(payer, path)))).toBe('Your card was declined.')
    expect(await payer.readIntent(intent.id)).toMatchObject({ status: 4, error: 'Your card was declined.' })
    expect(frameUrlIn(await loadTemplate(payer, path)).searchParams.get('jp_tid')).toMatch(/^[A-HJ-NP-Z2-9]{18}$/)
  })
})
