import { expect, test } from 'vitest'
import { addPayingCustomer, CARDS, payByLink, paymentLinkOf } from '../../../test/payments/payments-fixture.ts'
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

const AT_ONCE = 50
/** So many addresses, so that the gate lets all of their requests be worked on at once. */
const addressOf = (at: number): string => `198.18.${at}.1`

test.each([
  ['by one Idempotency-Key, are as many equal answers', { 'idempotency-key': 'one press of the button' }, [200]],
  ['without one, are paid or in progress', {}, [200, 409]],
])('[SP-05] [PAY-01] fifty equal submits of one link at once, %s, and none is refused as too many', async (_, headers, statuses) => {
  fixture.context.advance(25 * HOUR_MS)
  const [invoice, token] = [await payer.invoice(), await payer.cardToken()]
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_none, at) => payByLink(fixture, invoice, token, {}, headers, addressOf(at))),
  )
  expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true)
  for (const { statusCode, body } of answers) expect(statuses, body).toContain(statusCode)
})

test('[SP-05] [BP-04] [PAY-01] a declined submit counts once, however often its key is repeated', async () => {
  fixture.context.advance(25 * HOUR_MS)
  const [invoice, token] = [await payer.invoice(), await payer.cardToken(CARDS.declined)]
  const press = { 'idempotency-key': 'a declined press' }
  const byLink = await Promise.all(
    Array.from({ length: AT_ONCE }, (_none, at) => payByLink(fixture, invoice, token, {}, press, addressOf(at))),
  )
  const intent = await payer.intent(invoice)
  const body = { cardToken: await payer.cardToken(CARDS.declined), cardHolder: 'Ada Payer' }
  const inBulk = await Promise.all(Array.from({ length: AT_ONCE }, () => payer.pay(intent, body, press)))
  expect([...byLink, ...inBulk].map(({ statusCode }) => statusCode)).toEqual(Array(2 * AT_ONCE).fill(400))
  for (let at = 0; at < 4; at += 1) expect((await pay(invoice, '192.0.2.1', CARDS.declined)).statusCode).toBe(400)
  expect((await pay(invoice, '192.0.2.2')).statusCode).toBe(429)
})

test('[BP-04] [PAY-01] guesses at once reach the bank hardly more often than one after the other, and have to be waited for', async () => {
  fixture.context.advance(25 * HOUR_MS)
  const guesses = await Promise.all(
    Array.from({ length: 40 }, async () => ({
      intent: await payer.intent(await payer.invoice()),
      card: await payer.cardToken(CARDS.declined),
    })),
  )
  const answers = await Promise.all(guesses.map(({ intent, card }) => payer.pay(intent, { cardToken: card, cardHolder: 'Ada Payer' })))
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(new Set(statuses)).toEqual(new Set([400, 429]))
  const declined = statuses.filter((status) => status === 400).length
  // Two requests of one user are worked on at once, so one more than ten may be under way.
  expect([10, 11]).toContain(declined)
  const intent = await payer.intent(await payer.invoice())
  const submit = async () => payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  fixture.context.advance((declined - 9) * 6 * 60_000 - 1_000)
  expect((await submit()).statusCode).toBe(429)
  fixture.context.advance(1_000)
  expect((await submit()).json()).toMatchObject({ status: 'succeeded' })
})

test('[PM-02] [PAY-01] ten declined cards an hour are stored for nobody, and one that is stored does not count', async () => {
  fixture.context.advance(25 * HOUR_MS)
  const store = async (card: string) => payer.me.post('/v1/ec/payments/cards', { token: await payer.cardToken(card) })
  for (let at = 0; at < 10; at += 1) {
    if (at === 3) expect((await store(CARDS.good)).json()).toMatchObject({ status: 'succeeded' })
    expect((await store(CARDS.declined)).json()).toMatchObject({ code: 'method_declined' })
  }
  expect((await store(CARDS.good)).statusCode).toBe(429)
})

test('[SP-02] [PAY-01] in slow mode a client whose own link is used up takes nothing from ten others, who pay', async () => {
  fixture.context.advance(25 * HOUR_MS)
  for (let at = 0; at < 20; at += 1) expect((await pay(await payer.invoice(), `198.51.${at}.1`, CARDS.declined)).statusCode).toBe(400)
  const used = await payer.invoice()
  for (let at = 0; at < 5; at += 1) expect((await pay(used, `198.51.100.${at}`, CARDS.declined)).statusCode).toBe(400)
  const hammer = async (): Promise<void> => {
    for (let at = 0; at < 6; at += 1) expect((await pay(used, `203.0.113.${at}`)).statusCode).toBe(429)
  }
  for (let at = 0; at < 10; at += 1) {
    await hammer()
    fixture.context.advance(10_000)
    await hammer()
    expect((await pay(await payer.invoice(), `198.51.200.${at}`)).json()).toMatchObject({ status: 'succeeded' })
  }
})

test('[SP-02] [PAY-01] an address that is locked out at one reseller pays at another', async () => {
  fixture.context.advance(25 * HOUR_MS)
  const address = '192.0.2.77'
  for (let at = 0; at < 10; at += 1) expect((await pay(await payer.invoice(), address, CARDS.declined)).statusCode).toBe(400)
  expect((await pay(await payer.invoice(), address)).statusCode).toBe(429)
  const other = await addPayingCustomer(fixture)
  const paid = await payByLink(fixture, await other.invoice(), await other.cardToken(), {}, {}, address)
  expect(paid.json(), paid.body).toMatchObject({ status: 'succeeded' })
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
