import { expect, test } from 'vitest'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { payByLink } from '../../../test/payments/payments-fixture.ts'
import { accountKeys, connectStripe } from '../../../test/payments/sandbox.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { saveAccount } from '../accounts/accounts.ts'

/** The limits of production for declines: what is refused here must never count. */
const { fixture, payer } = await usePayments({ customer_permission_for_charging: false }, { LIMITS: 'user=100000/1s anonymous=100000/1s' })

const TOO_SMALL = 'This amount is too small to be paid by card. Pay it together with your next invoice.'
const NOT_CONFIGURED = 'Payment gateway is not configured properly, please try again later. If the problem persists, contact support'
/** More than either limit of declines. */
const TRIES = 12

/** Stripe names no smallest amount in won: what it takes depends on the account's own currency, which is not known here. */
const invoiceInWon = (more: object = {}): Promise<number> =>
  payer.invoice({ currency: 'KRW', net_minor: 100, amount_minor: 100, amount_due_minor: 100, ...more })

test('[SP-04] [PAY-01] the provider’s own refusal of an amount is told in our words, stands as failed, and counts against nobody', async () => {
  const invoice = await invoiceInWon()
  const submit = async (headers: Record<string, string> = {}) =>
    payByLink(fixture, invoice, await payer.cardToken(), { invoiceAmount: '100' }, headers)
  for (let at = 0; at < TRIES; at += 1) {
    const answer = await submit()
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'amount_not_accepted', userMessage: TOO_SMALL }])
    expect(answer.body).not.toMatch(/http|setup intent|cents/i)
  }
  const history = await payer.me.get(`/v1/ec/invoices/${invoice}/payments?pageSize=50`)
  expect(
    history.json<{ payments: { outcome: string; reason: string }[] }>().payments.map(({ outcome, reason }) => [outcome, reason]),
  ).toEqual(Array.from({ length: TRIES }, () => ['failed', TOO_SMALL]))
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 1, canPay: true })
  const paid = await payByLink(fixture, await payer.invoice(), await payer.cardToken())
  expect(paid.json(), paid.body).toMatchObject({ status: 'succeeded' })
})

test('[PAY-01] autopay says what the provider refused, and it is no decline', async () => {
  await payer.storeCard()
  await invoiceInWon({ due_on: fixture.context.clock().toISOString().slice(0, 10) })
  const said = await runPaymentsCommand(fixture.context, 'autopay run', [], { reseller: String(payer.resellerId), json: true })
  expect(said.json<{ payments: object[] }>().payments).toMatchObject([{ outcome: 'skipped', reason: TOO_SMALL }])
})

test('[SP-04] [PM-06] [PAY-01] a key that the provider refuses locks out nobody, neither who pays nor who stores a card', async () => {
  const { secret } = accountKeys(payer.resellerId)
  await saveAccount(fixture.context, {
    resellerId: payer.resellerId,
    provider: 'stripe',
    baseUrl: `${fixture.sandbox.url}/stripe`,
    settings: { secretKey: `${secret}_revoked`, webhookSecrets: [] },
  })
  const invoice = await payer.invoice()
  const token = await payer.cardToken()
  const refused = [400, { code: 'provider_refused', userMessage: NOT_CONFIGURED }]
  for (let at = 0; at < TRIES; at += 1) {
    const byLink = await payByLink(fixture, invoice, token)
    expect([byLink.statusCode, byLink.json()]).toMatchObject(refused)
    const stored = await payer.me.post('/v1/ec/payments/cards', { token })
    expect(stored.statusCode, stored.body).not.toBe(429)
  }
  await connectStripe(fixture.context, fixture.sandbox, payer.resellerId)
  expect((await payByLink(fixture, invoice, token)).json()).toMatchObject({ status: 'succeeded' })
  await payer.storeCard()
})
