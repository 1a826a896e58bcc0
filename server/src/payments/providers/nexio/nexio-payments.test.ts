import { describe, expect, test } from 'vitest'
import { answerBankPage } from '../../../../test/payments/payments-fixture.ts'
import { NEXIO, NEXIO_CARDS } from '../../../../test/payments/providers/nexio.driver.ts'
import { useProviderPayers } from '../../../../test/payments/providers/provider-payer.ts'

const { fixture, connect } = await useProviderPayers()
const { cards } = NEXIO.api.paths

test('[PM-06] [PM-80] nexio: expiry, holder and payer of a card can be changed, by its own customer', async () => {
  const { payer, store } = await connect(NEXIO)
  const id = await store()
  const change = {
    id,
    expirationMonth: 3,
    expirationYear: 2063,
    cardHolderName: 'Ada Lovelace',
    customer: { payerFirstName: 'Anne', shippingAddress: '3 Dock Lane' },
  }
  const { customer } = (NEXIO.api.listed.card as { nexioCard: { customer: object } }).nexioCard
  expect((await payer.me.put(cards, change)).json()).toMatchObject({
    nexioCard: {
      expirationMonth: 3,
      expirationYear: 2063,
      cardHolderName: 'Ada Lovelace',
      lastFour: '1111',
      customer: { ...customer, ...change.customer },
    },
  })
  const past = await payer.me.put(cards, { id, expirationMonth: 1, expirationYear: 2020 })
  expect([past.statusCode, past.body]).toEqual([400, expect.stringContaining('Please provide valid date')])
  const other = await connect(NEXIO)
  expect((await other.payer.me.put(cards, { id, cardHolderName: 'Eve' })).statusCode).toBe(404)
})

test('[PAY-01] nexio: the gateway’s timeout (408) is being processed until the look-up', async () => {
  const { payer, invoice, enter, payByLink, workAfter } = await connect(NEXIO)
  const id = await invoice(11_008)
  expect((await payByLink(id, { ...(await enter(id)), invoiceAmount: '110.08' })).json()).toMatchObject({ status: 'processing' })
  await workAfter(2)
  expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
})

describe('3-D Secure', () => {
  /** A customer who has been sent to the bank's page. */
  const leave = async () => {
    const owner = await connect(NEXIO)
    const [card, id] = [await owner.store('card', { number: NEXIO_CARDS.authenticating }), await owner.invoice()]
    const { status, redirectToUrl } = (await owner.payStored(card, id)).json<{ status: string; redirectToUrl: string }>()
    expect(status).toBe('requires_action')
    return { ...owner, id, redirectToUrl }
  }
  type Left = Awaited<ReturnType<typeof leave>>

  const comeBack = async (address: string): Promise<URLSearchParams> => {
    const { pathname, search } = new URL(address)
    const answer = await fixture.app.inject({ method: 'GET', url: pathname + search })
    expect(answer.statusCode).toBe(303)
    const target = new URL(String(answer.headers.location), 'http://localhost')
    expect(target.pathname).toBe('/payment-result')
    return target.searchParams
  }
  const report = async ({ payer }: Left, query: URLSearchParams) =>
    (
      await payer.me.post('/v1/ec/payments/confirmation/result', {
        paymentIntent: query.get('payment_intent'),
        paymentIntentClientSecret: query.get('payment_intent_client_secret'),
        sourceType: query.get('source_type'),
        reqUid: query.get('req_uid'),
      })
    ).json()

  test('[PR-01] [PAY-01] nexio: the payer confirms, comes back by our signed address, and the look-up says that it is paid', async () => {
    const left = await leave()
    const query = await comeBack(await answerBankPage(left.redirectToUrl, 'complete'))
    expect(await report(left, query)).toMatchObject({ status: 3 })
    expect(await left.payer.readInvoice(left.id)).toMatchObject({ invoiceStatus: 11 })
    // Nexio's own id has come meanwhile; the address still names the payment.
    expect(await report(left, query)).toMatchObject({ status: 3 })
  })

  test('[PR-01] [PAY-01] nexio: what the address says of the outcome is not believed', async () => {
    const left = await leave()
    const query = await comeBack((await answerBankPage(left.redirectToUrl, 'fail')).replace('status=declined', 'status=settled'))
    expect(await report(left, query)).toMatchObject({ status: 4 })
    expect(await left.bookedFor(left.id)).toEqual([])
  })

  test('[PAY-01] nexio: nobody pays a second time while the bank’s page can still be confirmed', async () => {
    const { id, redirectToUrl, enter, payByLink, workAfter, bookedFor } = await leave()
    expect((await payByLink(id, await enter(id))).json()).toMatchObject({ code: 'payment_in_progress' })
    await answerBankPage(redirectToUrl, 'complete')
    await workAfter(5)
    expect(await bookedFor(id)).toEqual([['succeeded', 11_000]])
  })

  test('[PAY-01] nexio: a payer who never confirms frees the invoice when the page has expired', async () => {
    const { id, payer, workAfter, attemptOf } = await leave()
    for (const minutes of [5, 30, 30]) await workAfter(minutes)
    expect(await attemptOf(id)).toMatchObject({ status: 'requires_action' })
    await workAfter(120)
    expect(await attemptOf(id)).toMatchObject({ status: 'expired' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
  })
})
