import { expect, test } from 'vitest'
import { CARDS, payByLink, paymentLinkOf } from '../../../test/payments/payments-fixture.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { sendRequest } from '../../../test/support/http-client.ts'

const { fixture, payer } = await usePayments({}, { LIMITS: 'user=100000/1s anonymous=100000/1s' })

const HOUR_MS = 3_600_000

const pay = async (invoice: number, address: string, card: string = CARDS.good) =>
  payByLink(fixture, invoice, await payer.cardToken(card), {}, {}, address)

const countIntents = async (): Promise<number> => (await queryAsAdministrator(fixture.context, 'select id from payment_intent', [])).length

test('[SP-02] [PAY-01] five declined cards a day on one link, from whatever address; nothing is written for the next', async () => {
  const invoice = await payer.invoice()
  for (let at = 1; at <= 5; at += 1) expect((await pay(invoice, `192.0.2.${at}`, CARDS.declined)).statusCode).toBe(400)
  const before = await countIntents()
  const refused = await pay(invoice, '192.0.2.6')
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 'rate_limited' }])
  expect(await countIntents()).toBe(before)
  fixture.context.advance(5 * HOUR_MS)
  expect((await pay(invoice, '192.0.2.6')).json()).toMatchObject({ status: 'succeeded' })
})

test('[SP-02] [PAY-01] ten declined cards an hour from one address, on whatever links; a payment that succeeds is not counted', async () => {
  fixture.context.advance(25 * HOUR_MS)
  for (let at = 0; at < 10; at += 1) {
    if (at === 3) expect((await pay(await payer.invoice(), '2001:db8::1')).json()).toMatchObject({ status: 'succeeded' })
    expect((await pay(await payer.invoice(), `2001:db8::${at}:1`, CARDS.declined)).statusCode).toBe(400)
  }
  const invoice = await payer.invoice()
  expect((await pay(invoice, '2001:db8::ffff:1')).statusCode).toBe(429)
  expect((await pay(invoice, '2001:db8:5::1')).json()).toMatchObject({ status: 'succeeded' })
})

test('[BP-04] [PAY-01] ten declined cards an hour of one signed-in user', async () => {
  fixture.context.advance(25 * HOUR_MS)
  const invoice = await payer.invoice()
  const submit = async (card: string) =>
    payer.pay(await payer.intent(invoice), { cardToken: await payer.cardToken(card), cardHolder: 'Ada Payer' })
  for (let at = 0; at < 10; at += 1) expect((await submit(CARDS.declined)).statusCode).toBe(400)
  expect((await submit(CARDS.good)).statusCode).toBe(429)
  fixture.context.advance(HOUR_MS / 5)
  expect((await submit(CARDS.good)).json()).toMatchObject({ status: 'succeeded' })
})

test('[SP-02] [PAY-01] when most of a reseller’s last payments by link were declined, all its links together are slowed down, no sign-in is', async () => {
  fixture.context.advance(25 * HOUR_MS)
  for (let at = 0; at < 20; at += 1) expect((await pay(await payer.invoice(), `198.51.${at}.1`, CARDS.declined)).statusCode).toBe(400)
  const statuses: number[] = []
  for (let at = 0; at < 8; at += 1) statuses.push((await pay(await payer.invoice(), `198.51.${at}.2`, CARDS.declined)).statusCode)
  expect(statuses).toEqual([...Array(5).fill(400), ...Array(3).fill(429)])

  const signedIn = await payer.pay(await payer.intent(await payer.invoice()), {
    cardToken: await payer.cardToken(),
    cardHolder: 'Ada Payer',
  })
  expect(signedIn.json(), signedIn.body).toMatchObject({ status: 'succeeded' })
  fixture.context.advance(10_000)
  expect((await pay(await payer.invoice(), '203.0.113.1')).json()).toMatchObject({ status: 'succeeded' })
  fixture.context.advance(2 * HOUR_MS)
  for (let at = 0; at < 8; at += 1)
    expect((await pay(await payer.invoice(), `203.0.113.${at}`)).json()).toMatchObject({ status: 'succeeded' })
})

test('[SP-01] one link is read thirty times a minute', async () => {
  fixture.context.advance(HOUR_MS)
  const { token } = await paymentLinkOf(fixture.context, await payer.invoice())
  const read = async (): Promise<number> => (await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).statusCode
  const statuses: number[] = []
  for (let at = 0; at < 31; at += 1) statuses.push(await read())
  expect(statuses).toEqual([...Array(30).fill(200), 429])
  fixture.context.advance(2_000)
  expect(await read()).toBe(200)
})
