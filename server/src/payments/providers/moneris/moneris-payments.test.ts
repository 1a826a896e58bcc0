import { expect, test } from 'vitest'
import { MONERIS, MONERIS_CARDS } from '../../../../test/payments/providers/moneris.driver.ts'
import { useProviderPayers } from '../../../../test/payments/providers/provider-payer.ts'
import { paymentLinkOf } from '../../../../test/payments/payments-fixture.ts'
import { sendRequest } from '../../../../test/support/http-client.ts'

const { fixture, connect } = await useProviderPayers()

test('[PAY-01] moneris: another currency than Canadian dollars is refused before anything is sent', async () => {
  const { payer, enter, payByLink } = await connect(MONERIS)
  const id = await payer.invoice({ currency: 'USD' })
  expect((await payByLink(id, await enter(id))).json()).toMatchObject({ code: 'currency_not_accepted' })
})

test('[PAY-01] moneris: a charge that is not found stays unknown for ever, until a person decides', async () => {
  const { payer, invoice, enter, payByLink, fault, attemptOf, workAfter, run } = await connect(MONERIS)
  const id = await invoice()
  await fault('charge', 'drop', false)
  expect((await payByLink(id, await enter(id))).json()).toMatchObject({ status: 'processing' })
  const { token } = await paymentLinkOf(fixture.context, id)
  const details = await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })
  expect(details.json().payment).toMatchObject({ isUnderReview: false, unknownOutcome: { endsBy: null } })
  for (const minutes of [2, 5, 20, 60, 600, 2_000, 2_000, 2_000, 2_000, 2_000, 2_000, 2_000]) await workAfter(minutes)
  const attempt = await attemptOf(id)
  expect(attempt).toMatchObject({ status: 'manual' })
  expect(await payer.readInvoice(id)).toMatchObject({ canPay: false })
  const settled = await run('payments settle', [attempt.id], { as: 'failed', reason: 'not in the Merchant Resource Center', yes: true })
  expect([settled.code, settled.err]).toEqual([0, []])
  expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
})

test('[PAY-01] moneris: a decline whose answer was lost is found, and the invoice can be paid again', async () => {
  const { payer, store, invoice, payStored, fault, attemptOf, workAfter } = await connect(MONERIS)
  const [card, id] = [await store(), await invoice(105)]
  await fault('charge', 'drop')
  expect((await payStored(card, id)).json()).toMatchObject({ status: 'processing' })
  await workAfter(2)
  expect(await attemptOf(id)).toMatchObject({ status: 'declined' })
  expect(await payer.readInvoice(id)).toMatchObject({ canPay: true })
})

test('[PAY-01] moneris: a payment that an operator has seen there is refunded by its number, and not without it', async () => {
  const owner = await connect(MONERIS, { settings: { storeId: 'nostatus' } })
  /** Pays, loses the answer, and finds nothing for an hour. */
  const payUnfound = async (): Promise<{ id: string; number: string; invoice: number }> => {
    const invoice = await owner.invoice()
    await owner.fault('charge', 'drop')
    await owner.payByLink(invoice, await owner.enter(invoice))
    await owner.workAfter(62)
    const { id, merchantReference, status } = await owner.attemptOf(invoice)
    expect(status).toBe('unknown')
    const number = (await fixture.sandbox.ledger()).find(({ reference }) => reference === merchantReference)?.id ?? ''
    return { id, number, invoice }
  }
  const settle = (id: string, more: Record<string, string> = {}) =>
    owner.run('payments settle', [id], { as: 'paid', reason: 'in the Merchant Resource Center', yes: true, ...more })
  const first = await payUnfound()
  expect((await settle(first.id)).err).toEqual([])
  expect((await owner.refund(first.invoice, { amount: '40.00' })).err.join()).toContain(
    'Nothing was refunded: the TransID of the payment is not known',
  )
  const second = await payUnfound()
  for (const [more, words] of [
    [{ number: MONERIS_CARDS.visa }, '--number'],
    [{ number: '' }, '--number'],
    [{ number: second.number, as: 'failed' }, 'needs no number'],
  ] as const)
    expect((await settle(second.id, more)).err.join()).toContain(words)
  expect((await settle(second.id, { number: second.number })).err).toEqual([])
  expect(await owner.payer.readInvoice(second.invoice)).toMatchObject({ invoiceStatus: 11 })
  expect((await owner.refund(second.invoice, { amount: '40.00' })).json()).toMatchObject({ refunded: '40.00' })
  expect(await owner.bookedFor(second.invoice)).toEqual([
    ['succeeded', 11_000],
    ['refunded', 4_000],
  ])
  const third = await payUnfound()
  expect((await settle(third.id, { number: second.number })).err.join()).toContain('Another payment has the number')
  expect((await settle(third.id, { number: third.number })).err).toEqual([])
})

test.each([
  ['made', true],
  ['notMade', false],
])('[PAY-01] moneris: a refund without an answer is not sent again until somebody has looked (%s)', async (saw, booked) => {
  const { invoice, enter, payByLink, fault, refund, bookedFor } = await connect(MONERIS)
  const id = await invoice()
  await payByLink(id, await enter(id))
  await fault('refund', 'drop', booked)
  expect((await refund(id, { amount: '40.00' })).err.join()).toContain('Nobody knows whether it was refunded')
  expect((await refund(id, { amount: '40.00' })).code).toBe(1)
  expect(await bookedFor(id)).toHaveLength(booked ? 2 : 1)
  const seen = await refund(id, { amount: '40.00', [saw]: true })
  expect(seen.json(), seen.err.join()).toMatchObject({ refunded: '40.00', attempt: { refunded: '40.00' } })
  expect(await bookedFor(id)).toEqual([
    ['succeeded', 11_000],
    ['refunded', 4_000],
  ])
})
