import { expect, test } from 'vitest'
import { addPayingCustomer, payByLink, paymentLinkOf } from '../../test/payments/payments-fixture.ts'
import { runPaymentsCommand } from '../../test/payments/payment-commands.ts'
import { usePaymentsFixture } from '../../test/payments/use-payments.ts'
import { sendRequest } from '../../test/support/http-client.ts'
import { queryAsAdministrator } from '../../test/support/people.ts'

const fixture = await usePaymentsFixture()

test('[EASE-14] [PAY-01] a receipt goes where the payer says; offered is what the profile says, else where the last one went, by every way to pay', async () => {
  const payer = await addPayingCustomer(fixture, { payment_email_receipt: true, customer_permission_for_charging: false })
  const card = await payer.storeCard()
  /** A moment later, so that the last payment is known by its time. */
  const invoice = async (): Promise<number> => {
    fixture.context.advance(1_000)
    return payer.invoice()
  }
  const offered = async (): Promise<unknown[]> => {
    const { token } = await paymentLinkOf(fixture.context, await payer.invoice())
    const page = (await payer.me.get(`/v1/ec/pay/${token}/payer`)).json()
    return [page.receiptEmail, (await payer.intent(await payer.invoice())).email]
  }
  const payInBulk = async (more: object) => payer.pay(await payer.intent(await invoice()), { cardId: card, ...more })
  const payStored = async (more: object) => {
    const { token, number } = await paymentLinkOf(fixture.context, await invoice())
    const body = { invoiceNumber: number, invoiceAmount: '110.00', cardId: card, ...more }
    return payer.me.post(`/v1/ec/pay/${token}/stored-method`, body)
  }
  const choose = (receiptEmail: string | null) => payer.me.put('/v1/ec/profile', { numberLocale: null, receiptEmail })

  expect(await offered()).toEqual([null, null])
  expect((await payInBulk({ email: 'bulk@example.com' })).json()).toMatchObject({ status: 'succeeded' })
  expect(await offered()).toEqual(['bulk@example.com', 'bulk@example.com'])
  expect((await payStored({ email: 'stored@example.com' })).json()).toMatchObject({ status: 'succeeded' })
  expect(await offered()).toEqual(['stored@example.com', 'stored@example.com'])
  await choose('profile@example.com')
  expect(await offered()).toEqual(['profile@example.com', 'profile@example.com'])
  // What is said now goes before the profile, and an empty field wants no receipt.
  expect((await payStored({ email: 'now@example.com' })).json()).toMatchObject({ payment: { email: 'now@example.com' } })
  expect((await payInBulk({ email: '' })).json()).toMatchObject({ status: 'succeeded', payment: { email: null } })
  expect((await payStored({})).json()).toMatchObject({ status: 'succeeded', payment: { email: null } })
  expect(await offered()).toEqual(['profile@example.com', 'profile@example.com'])
  await choose(null)
  expect(await offered()).toEqual(['now@example.com', 'now@example.com'])

  // Whoever has the link is not known: nothing is offered, and what is typed there is not remembered for anybody.
  const linked = await invoice()
  const { token } = await paymentLinkOf(fixture.context, linked)
  const details = await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })
  expect(details.body).not.toContain('@example.com')
  await payByLink(fixture, linked, await payer.cardToken(), { email: 'link@example.com' })
  await payByLink(fixture, await invoice(), await payer.cardToken())
  expect(await offered()).toEqual(['now@example.com', 'now@example.com'])

  // Nobody is there to say it.
  await choose('profile@example.com')
  await payer.invoice({ due_on: '2026-01-01' })
  const charged = await runPaymentsCommand(fixture.context, 'autopay run', [], { json: true, reseller: String(payer.resellerId) })
  expect(charged.json<{ payments: object[] }>().payments, charged.err.join()).toMatchObject([{ outcome: 'paid' }])
  const mails = await queryAsAdministrator<{ recipient: string }>(
    fixture.context,
    `select m.recipient from mail m join payment_attempt a on a.id = m.payment_attempt_id where a.reseller_id = $1 order by m.queued_at`,
    [payer.resellerId],
  )
  expect(mails.map(({ recipient }) => recipient)).toEqual(['bulk', 'stored', 'now', 'link'].map((name) => `${name}@example.com`))
})
