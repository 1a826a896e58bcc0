import { expect } from 'vitest'
import { sendRequest } from '../../support/http-client.ts'
import { dayAfter, expectedDayOf } from '../expected-day.ts'
import { setDebitDays } from '../payment-commands.ts'
import { paymentLinkOf } from '../payments-fixture.ts'
import { type ApiProvider, WEBHOOK_KEY } from './provider-driver.ts'
import { lacksDebits, type ProviderPayer, testEach, useProviderPayers } from './provider-payer.ts'

const { fixture, connect } = await useProviderPayers()

/** Authorize.net's stand-in approves debits up to a hundred. */
const DEBIT = 9_900
const HOUR = 60
/** When the worker looks up what is unknown, each after the one before. */
const LOOK_UPS_MINUTES = [1, 2, 5, 15, 60, 180, 720]

testEach('[SP-01] [SP-03] $name: the public page of an invoice gets what it needs, and pays', async (driver) => {
  const { payer, invoice, enter, payByLink, attemptOf, bookedFor } = await connect(driver)
  const id = await invoice()
  const { token } = await paymentLinkOf(fixture.context, id)
  const standIn = `${fixture.sandbox.url}/${driver.name}`
  expect((await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).json()).toMatchObject({
    paymentType: driver.type,
    apiStatus: true,
    ...driver.api.linkPage(standIn, payer.resellerId),
  })
  expect((await payByLink(id, await enter(id))).json()).toMatchObject({ status: 'succeeded', intentStatus: 3 })
  expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11, amountDue: 0 })
  expect(await attemptOf(id)).toMatchObject(driver.api.attempt)
  expect(await bookedFor(id)).toEqual([['succeeded', 11_000]])
})

testEach('[BP-02] [BP-03] [BP-05] $name: a stored card pays several invoices at once, and none of another customer', async (driver) => {
  const foreign = await (await connect(driver)).store()
  const { payer, store, invoice, bookedFor } = await connect(driver)
  const [card, one, two] = [await store(), await invoice(), await invoice(2_500)]
  const intent = await payer.intent(one, two)
  expect((await payer.pay(intent, { cardId: foreign, type: 'card' })).statusCode).toBe(404)
  expect((await payer.pay(intent, { cardId: card, type: 'card' })).json()).toMatchObject({ status: 'succeeded' })
  expect(await bookedFor(two)).toEqual([['succeeded', 13_500]])
})

testEach('[PAY-01] [SP-05] $name: fifty presses at once are one charge', async (driver) => {
  const { payer, store, invoice, bookedFor } = await connect(driver)
  const [cardId, id] = [await store(), await invoice()]
  const intent = await payer.intent(id)
  const press = () => payer.pay(intent, { cardId, type: 'card' }, { 'idempotency-key': 'one press' })
  const answers = await Promise.all(Array.from({ length: 50 }, press))
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  expect(await bookedFor(id)).toEqual([['succeeded', 11_000]])
})

testEach(
  '[SP-05] [PAY-01] $name: two tabs with one link and a third screen pay at the same instant: once, and nobody twice',
  async (driver) => {
    const { payer, store, invoice, linkPage, payByLink } = await connect(driver)
    const countCharges = async () => (await fixture.sandbox.ledger()).filter(({ status }) => status === 'succeeded').length
    const [cardId, id, before] = [await store(), await invoice(), await countCharges()]
    const [page, intent] = [await linkPage(id), await payer.intent(id)]
    const [first, second] = [await driver.cardFields(page), await driver.cardFields(page)]
    const answers = await Promise.all([payByLink(id, first), payByLink(id, second), payer.pay(intent, { cardId, type: 'card' })])
    expect(answers.map((answer) => answer.json().status)).toContain('succeeded')
    for (const { statusCode } of answers) expect(statusCode).toBeLessThan(500)
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
    expect((await payByLink(id, second)).statusCode).toBeGreaterThanOrEqual(400)
    expect((await countCharges()) - before).toBe(1)
  },
)

testEach(
  '[PAY-01] $name: a charge whose answer is lost is on its way, also to who presses again; it is found by our reference and never sent again',
  async (driver) => {
    const { payer, invoice, enter, payByLink, fault, workAfter, bookedFor } = await connect(driver)
    for (const kind of ['drop', 'error', 'garbage']) {
      const id = await invoice()
      const entered = await enter(id)
      await fault('charge', kind)
      expect((await payByLink(id, entered, `press ${kind}`)).json()).toMatchObject({ status: 'processing' })
      expect((await payByLink(id, entered, `press ${kind}`)).json()).not.toMatchObject({ status: 'declined' })
      await workAfter(3)
      expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
      expect(await bookedFor(id)).toEqual([['succeeded', 11_000]])
    }
  },
)

testEach(
  '[PAY-01] $name: a charge that never arrived frees its invoice when finding nothing is final, as the payer was told, and not before',
  async (driver) => {
    const { payer, invoice, enter, payByLink, fault, workAfter, attemptOf } = await connect(driver)
    const finalAfter = (driver.adapter.provider.notFoundMeansUnpaidAfterMs ?? 0) / 60_000
    const id = await invoice()
    const entered = await enter(id)
    await fault('charge', 'drop', false)
    const { status, payment } = (await payByLink(id, entered)).json()
    expect(status).toBe('processing')
    const endsAfter = (new Date(payment.unknownOutcome.endsBy).getTime() - fixture.context.clock().getTime()) / 60_000
    expect([endsAfter > finalAfter, endsAfter <= 2 * finalAfter]).toEqual([true, true])
    let waited = 0
    for (const minutes of LOOK_UPS_MINUTES.filter((minutes) => minutes <= finalAfter / 2)) {
      await workAfter(minutes)
      waited += minutes
    }
    expect(await attemptOf(id)).toMatchObject({ status: 'unknown' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: false })
    await workAfter(endsAfter - waited)
    expect(await attemptOf(id)).toMatchObject({ status: 'not_sent' })
    expect((await payByLink(id, await enter(id))).json()).toMatchObject({ status: 'succeeded' })
  },
  ({ adapter }) => (adapter.provider.notFoundMeansUnpaidAfterMs === null ? 'finding nothing proves nothing there' : undefined),
)

/** Pays an invoice by a stored bank account. */
const debit = async (driver: ApiProvider, payer: ProviderPayer): Promise<number> => {
  const [account, id] = [await payer.store('bank'), await payer.invoice(DEBIT)]
  expect((await payer.payStored(account, id, 'card')).statusCode, 'an account is no card').toBe(400)
  expect((await payer.payStored(account, id, driver.bankType ?? 'eCheck')).json()).toMatchObject({ status: 'processing' })
  return id
}

testEach(
  '[BP-02] [BP-04] [BP-05] [PAY-01] $name: a debit is in collection until it is settled; one that is returned later opens its invoice by the daily comparison',
  async (driver) => {
    const owner = await connect(driver, { settings: driver.api.clearsAtOnce ?? {} })
    const { payer, workAfter, attemptOf, settle, run } = owner
    const id = await debit(driver, owner)
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 7, canPay: false })
    const { debitDays } = driver.api
    expect(await expectedDayOf(payer, id)).toBe(debitDays === undefined ? null : dayAfter(fixture.context, debitDays))
    if (driver.api.clearsAtOnce === undefined) {
      expect((await setDebitDays(fixture.context, payer.resellerId, 3)).json()).toMatchObject({ debitDays: 3, hasCredentials: true })
      expect(await expectedDayOf(payer, id)).toBe(dayAfter(fixture.context, 3))
    }
    await settle(id, 'succeeded')
    await workAfter(2 * HOUR)
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11, amountDue: 0 })
    await settle(id, 'returned')
    await run('payments reconcile', [], { reseller: String(payer.resellerId) })
    expect(await attemptOf(id)).toMatchObject({ status: 'reversed' })
    expect(await payer.readInvoice(id)).toMatchObject({ canPay: true, amountDue: DEBIT / 100 })
  },
  lacksDebits,
)

testEach(
  '[BP-04] [BP-05] $name: a debit that its bank refuses is declined, and its invoice can be paid again',
  async (driver) => {
    const owner = await connect(driver)
    const id = await debit(driver, owner)
    await owner.settle(id, 'failed')
    await owner.workAfter(2 * HOUR)
    expect(await owner.attemptOf(id)).toMatchObject({ status: 'declined' })
    expect(await owner.payer.readInvoice(id)).toMatchObject({ canPay: true })
  },
  lacksDebits,
)

testEach(
  '[PAY-01] $name: a webhook is a hint alone: a forged one is refused where they are signed, a false or repeated one changes nothing, a true one is looked up',
  async (driver) => {
    const owner = await connect(driver, { settings: driver.api.clearsAtOnce ?? {} })
    const { payer, attemptOf, workAfter, settle } = owner
    const send = async (merchantReference: string, { secret = WEBHOOK_KEY, isLaterEvent = false } = {}): Promise<number> => {
      const event = driver.webhook?.(merchantReference, fixture.context.clock(), secret, isLaterEvent)
      const headers = { 'content-type': 'application/json', ...event?.headers }
      const url = `/hooks/${driver.name}/${payer.resellerId}`
      return (await fixture.app.inject({ method: 'POST', url, headers, payload: event?.raw ?? '' })).statusCode
    }
    const id = await debit(driver, owner)
    const { merchantReference: reference } = await attemptOf(id)
    expect(await send(reference, { secret: 'B'.repeat(128) })).toBe(driver.hasUnsignedWebhooks === true ? 200 : 401)
    expect([await send(reference), await send(reference)]).toEqual([200, 200])
    await workAfter(1)
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 7 })
    await settle(id, 'succeeded')
    expect(await send(reference, { isLaterEvent: true })).toBe(200)
    await workAfter(1)
    expect(await payer.readInvoice(id)).toMatchObject({ invoiceStatus: 11 })
    expect(await send('nobodys')).toBe(200)
  },
  ({ webhook }) => (webhook === undefined ? 'it sends no webhooks' : undefined),
)
