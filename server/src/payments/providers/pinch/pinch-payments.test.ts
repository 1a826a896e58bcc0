import { describe, expect, test } from 'vitest'
import { PINCH, pinchCardToken, pinchKey, pinchSettings } from '../../../../test/payments/providers/pinch.driver.ts'
import { type ProviderPayer, useProviderPayers } from '../../../../test/payments/providers/provider-payer.ts'
import { queryAsAdministrator } from '../../../../test/support/people.ts'

const { fixture, connect } = await useProviderPayers()
const { sandbox } = fixture
const { cards: CARDS, accounts: ACCOUNTS = '' } = PINCH.api.paths
const SETUP = '/v1/ec/payments/setup-intent'
const TYPED = { cardHolder: 'Ada Payer', email: 'ada@payer.example' }

const makeDefault = ({ payer }: ProviderPayer, id: string) => payer.me.put(PINCH.api.paths.default, { id })
const addCard = ({ payer }: ProviderPayer, change: object = {}) => PINCH.store.card?.(payer, sandbox, {}, change)

describe('stored methods', () => {
  test('[PM-60] type 6: the default cannot be removed while there are others, and Pinch is not asked', async () => {
    const own = await connect(PINCH)
    const { payer, store, list, fault } = own
    const [first, second] = [await store(), await store()]
    await fault('remove', 'error', false)
    const refused = await payer.me.remove(`${CARDS}/${first}`)
    const sentence = 'The default payment method cannot be removed while there are others. Please make another one the default first.'
    expect([refused.statusCode, refused.json()]).toEqual([400, expect.objectContaining({ userMessage: sentence })])
    // The fault is still there: it was not used up.
    expect((await payer.me.remove(`${CARDS}/${second}`)).statusCode).toBe(503)
    expect(await list()).toHaveLength(2)
    await makeDefault(own, second)
    expect((await payer.me.remove(`${CARDS}/${first}`)).statusCode).toBe(204)
    expect(await list()).toMatchObject([{ id: second, isDefault: true }])
    // The last card may go, and an account becomes the default.
    const account = await store('bank')
    expect((await payer.me.remove(`${CARDS}/${second}`)).statusCode).toBe(204)
    expect(await list()).toEqual([])
    expect(await list('bank')).toMatchObject([{ id: account, isDefault: true }])
    expect((await payer.me.remove(`${ACCOUNTS}/${account}/detach`)).statusCode).toBe(204)
    expect((await payer.me.get(SETUP)).statusCode).toBe(404)
  })

  test('[PM-60] [PM-06] type 6: what Pinch refuses is told in words, without the token that its message holds', async () => {
    const own = await connect(PINCH)
    const nameless = await addCard(own, { cardholder: '####' })
    expect([nameless?.statusCode, nameless?.json().userMessage]).toEqual([400, 'Enter the name on the card and your email address.'])
    const id = await own.store()
    const refused = await addCard(own, { token: 'tkn_1' })
    expect([refused?.statusCode, refused?.json()]).toMatchObject([
      400,
      { code: 'provider_refused', userMessage: 'This payment method cannot be used. Please check its details, or use another one.' },
    ])
    expect((await own.payer.me.put(CARDS, { id, stripeCard: { name: 'Eve' } })).statusCode).toBe(404)
  })

  test('[PM-60] type 6: a payer that is gone is created again by who stores the next card', async () => {
    const { payer, store, list, invoice, payStored } = await connect(PINCH)
    const card = await store()
    const [known] = await queryAsAdministrator<{ id: string }>(
      fixture.context,
      'select provider_customer_id as id from payment_provider_customer where customer_id = $1',
      [payer.customerId],
    )
    const { access_token: bearer } = (await (
      await fetch(`${sandbox.url}/pinch/connect/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`app-${payer.resellerId}:sk`)}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials&scope=api1',
      })
    ).json()) as { access_token: string }
    const url = `${sandbox.url}/pinch/test/payers/${known?.id}`
    await fetch(url, { method: 'DELETE', headers: { authorization: `Bearer ${bearer}` } })
    const paid = await payStored(card, await invoice())
    expect([paid.statusCode, paid.json()]).toMatchObject([400, { code: 'provider_refused' }])
    const next = await store()
    expect(await list()).toMatchObject([{ id: next, isDefault: true }])
  })

  test('[PM-60] type 6: the browser is told where it makes tokens, to store and to pay', async () => {
    const { payer, invoice, linkPage } = await connect(PINCH)
    const tokenUrl = `${sandbox.url}/pinch/test/tokens`
    expect((await payer.me.post('/v1/ec/payments/card-fields', {})).json()).toEqual({ fields: { tokenUrl } })
    expect(await (await linkPage(await invoice())).startFields()).toEqual({ tokenUrl })
    expect((await payer.me.get('/v1/ec/payments/details')).json()).toMatchObject({
      paymentType: 6,
      publishableKey: pinchKey(`app-${payer.resellerId}`),
      takesCardNumbers: false,
      scriptUrl: null,
    })
  })
})

describe('the currency of the account', () => {
  const REFUSED = 'Payments in NZD are not possible here.'
  const inNewZealand = ({ payer }: ProviderPayer, more: object = {}) => payer.invoice({ currency: 'NZD', ...more })
  const countAttempts = async ({ payer }: ProviderPayer): Promise<number> =>
    (await queryAsAdministrator(fixture.context, 'select id from payment_attempt where customer_id = $1', [payer.customerId])).length

  test('[PM-60] [PAY-01] another one is refused before anything is claimed, by link and from inside', async () => {
    const own = await connect(PINCH)
    const [card, linked] = [await own.store(), await inNewZealand(own)]
    const byLink = await own.payByLink(linked, await own.enter(linked))
    for (const refused of [byLink, await own.payStored(card, await inNewZealand(own))])
      expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'currency_not_accepted', userMessage: REFUSED }])
    expect(await countAttempts(own)).toBe(0)
  })

  test('[PM-60] [PAY-01] autopay leaves what is in another one, dry or not, and says why', async () => {
    const own = await connect(PINCH)
    const reseller = String(own.payer.resellerId)
    await own.store()
    await own.run('reseller payments set', [reseller], { askPermission: 'off' })
    await inNewZealand(own, { due_on: fixture.context.clock().toISOString().slice(0, 10) })
    for (const dryRun of [true, false, false]) {
      const said = await own.run('autopay run', [], { reseller, dryRun })
      expect(said.json()).toMatchObject({ payments: [{ outcome: 'skipped', reason: REFUSED, attemptId: null }] })
    }
    expect(await countAttempts(own)).toBe(0)
    const intents = await queryAsAdministrator(fixture.context, 'select id from payment_intent where customer_id = $1', [
      own.payer.customerId,
    ])
    expect(intents).toEqual([])
  })

  test('[PM-60] [PAY-01] an account that is paid in New Zealand dollars takes them alone', async () => {
    const application = 'app-nzd'
    const settings = { ...pinchSettings(application), currency: 'NZD' }
    const own = await connect(PINCH, { settings, reseller: { currency: 'NZD' }, options: { publishableKey: pinchKey(application) } })
    const payBy = async (id: number) => own.payByLink(id, { ...TYPED, cardToken: await pinchCardToken(sandbox, application) })
    expect((await payBy(await inNewZealand(own))).json()).toMatchObject({ status: 'succeeded' })
    const refused = await payBy(await own.invoice())
    expect([refused.statusCode, refused.json()]).toMatchObject([409, { userMessage: 'Payments in AUD are not possible here.' }])
    expect(await countAttempts(own)).toBe(1)
  })
})

describe('payments', () => {
  test.each([
    [{ email: undefined }, 'body.email'],
    [{ email: '' }, 'body.email'],
    [{ email: 'ada' }, 'body.email'],
    [{ cardHolder: ' ' }, 'body.cardHolder'],
    [{ cardToken: '' }, 'body.cardToken'],
    [{ cardToken: undefined, cardNumber: '4242424242424242', expirationDate: '2060-12', cardCode: '123' }, 'body.cardNumber'],
  ])('[PM-60] [SP-02] type 6: holder, email address and token are required to pay: %j', async (change, path) => {
    const { invoice, enter, payByLink } = await connect(PINCH)
    const id = await invoice()
    const refused = await payByLink(id, { ...(await enter(id)), ...change })
    expect([refused.statusCode, refused.json()]).toEqual([400, expect.objectContaining({ errors: [expect.objectContaining({ path })] })])
  })

  test.each([
    ['off', null],
    ['on', 'ada@payer.example'],
  ])('[PM-60] [SP-04] type 6: with receipts %s the address that Pinch needs gets the receipt: %s', async (receipts, email) => {
    const { invoice, enter, payByLink, attemptOf } = await connect(PINCH, { options: { receipts } })
    const id = await invoice()
    expect((await payByLink(id, await enter(id))).json()).toMatchObject({ status: 'succeeded' })
    expect(await attemptOf(id)).toMatchObject({ receiptEmail: email })
  })

  test('[PM-60] [BP-03] type 6: what the number of an invoice says is no code to Pinch', async () => {
    const { payer, store, payStored, bookedFor } = await connect(PINCH)
    const id = await payer.invoice({ currency: 'AUD', number: 'INV #insufficient-funds' })
    expect((await payStored(await store(), id)).json()).toMatchObject({ status: 'succeeded' })
    expect(await bookedFor(id)).toEqual([['succeeded', 11_000]])
  })
})

describe('debits', () => {
  /** A customer whose bank account is debited for an invoice. */
  const debit = async (kind?: string) => {
    const own = await connect(PINCH)
    const [account, id] = [await own.store('bank'), await own.invoice()]
    if (kind !== undefined) await own.fault('charge', kind)
    await own.payStored(account, id, 'au_becs_debit')
    return { ...own, id, cancel: async (options = {}) => own.run('payments cancel', [(await own.attemptOf(id)).id], options) }
  }

  test('[PAY-01] type 6: a lost debit stays on its way, and is not cancelled', async () => {
    const { id, workAfter, attemptOf, bookedFor } = await debit('drop')
    for (const minutes of [2, 5, 15]) await workAfter(minutes)
    expect(await attemptOf(id)).toMatchObject({ status: 'processing', providerRef: expect.stringMatching(/^pmt_/) })
    expect(await bookedFor(id)).toEqual([['pending', 11_000]])
  })

  test('[PM-60] [PAY-01] type 6: a scheduled debit is cancelled, and its invoice can be paid again; nothing else is', async () => {
    const { id, payer, fault, cancel, attemptOf, bookedFor, enter, payByLink } = await debit()
    expect((await cancel()).err.join()).toContain('say --yes')
    await fault('cancel', 'error', false)
    expect((await cancel({ yes: true })).err.join()).toContain('does not cancel it any more')
    expect(await attemptOf(id)).toMatchObject({ status: 'processing' })
    expect((await cancel({ yes: true })).json()).toMatchObject({ attempt: { status: 'expired' } })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
    expect(await bookedFor(id)).toEqual([['failed', 11_000]])
    expect((await cancel({ yes: true })).err.join()).toContain('nothing to cancel')
    expect((await payByLink(id, await enter(id))).json()).toMatchObject({ status: 'succeeded' })
    expect((await cancel({ yes: true })).err.join()).toContain('nothing to cancel')
  })

  test('[PM-60] [PAY-01] type 6: a debit that was settled meanwhile is not cancelled but paid', async () => {
    const { id, payer, settle, cancel } = await debit()
    await settle(id, 'succeeded')
    expect((await cancel({ yes: true })).err.join()).toContain('nothing to cancel')
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
  })
})

test('[OPS-03] type 6: settings are checked, and an address without https is refused', async () => {
  const { set } = await connect(PINCH)
  for (const wrong of [{ secretKey: '' }, { more: 1 }, { currency: 'USD' }]) expect((await set(wrong)).err.join()).toContain('not usable')
  expect((await set({}, { address: 'http://api.getpinch.com.au' })).err.join()).toContain('https')
})
