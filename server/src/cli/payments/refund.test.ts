import { expect, test } from 'vitest'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { runWorkerAfter } from '../../../test/payments/payments-fixture.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { verifyAudit } from '../../audit/verify-audit.ts'

const { fixture, payer } = await usePayments()

const pay = async (cardNumber?: string): Promise<{ id: string; invoice: number }> => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  await payer.pay(intent, { cardToken: await payer.cardToken(cardNumber), cardHolder: 'Ada Payer' })
  const [attempt] = await queryAsAdministrator<{ id: string }>(fixture.context, 'select id from payment_attempt where intent_id = $1', [
    intent.id,
  ])
  return { id: attempt?.id ?? '', invoice }
}

const refund = (id: string, options: Readonly<Record<string, string | boolean>> = {}) =>
  runPaymentsCommand(fixture.context, 'payments refund', [id], { yes: true, json: true, ...options })

const listRefunds = async (id: string): Promise<number[]> =>
  (await fixture.sandbox.ledger()).filter(({ reference, status }) => reference === id && status === 'refunded').map(({ amount }) => amount)

test('[PAY-01] [OPS-03] a part is refunded, another, then the rest; the invoice stays paid, the events and the audit log say so', async () => {
  const { id, invoice } = await pay()
  const part = await refund(id, { amount: '12.50' })
  expect(part.json(), part.err.join()).toMatchObject({ refunded: '12.50', attempt: { status: 'succeeded', refunded: '12.50' } })
  const another = await refund(id, { amount: '7.50' })
  expect(another.json()).toMatchObject({ refunded: '7.50', attempt: { status: 'succeeded', refunded: '20.00' } })
  const rest = await refund(id)
  expect(rest.json()).toMatchObject({ refunded: '90.00', attempt: { status: 'refunded', refunded: '110.00' } })
  expect(await listRefunds(id)).toEqual([1_250, 750, 9_000])
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11, amountDue: 0 })

  const again = await refund(id)
  expect([again.code, again.err.join()]).toEqual([1, expect.stringContaining('The whole payment was returned already.')])
  expect(await listRefunds(id)).toHaveLength(3)
  const audited = await queryAsAdministrator<{ detail: string }>(
    fixture.context,
    "select detail from audit_entry where action = 'payment.refunded' and subject = $1 order by seq",
    [`payment ${id}`],
  )
  expect(audited.map(({ detail }) => detail)).toEqual(['12.50 AUD', '7.50 AUD', '90.00 AUD'])
  expect((await verifyAudit(fixture.context.store, fixture.context.keys)).faults).toEqual([])
  const events = await queryAsAdministrator<{ step: string }>(
    fixture.context,
    "select kind, payload->'step'->>'refunded' as step from payment_outbox where kind = 'payment.refunded' and payload->>'attemptId' = $1 order by id",
    [id],
  )
  expect(events.map(({ step }) => step)).toEqual(['12.50', '7.50', '90.00'])
})

test('[PAY-01] a refund whose answer is lost is not made twice: the same command again tells that it was made', async () => {
  const { id } = await pay()
  await fixture.sandbox.fault({ operation: 'refund', kind: 'drop', booked: true })
  await fixture.sandbox.fault({ operation: 'lookup', kind: 'slow', ms: 1, booked: true })
  const lost = await refund(id, { amount: '10' })
  expect([lost.code, lost.err.join()]).toEqual([1, expect.stringContaining('Run the same command again')])
  await fixture.sandbox.fault({ operation: 'lookup', kind: 'error' })
  expect((await refund(id, { amount: '10' })).json()).toMatchObject({ refunded: '10.00', attempt: { refunded: '10.00' } })
  expect(await listRefunds(id)).toEqual([1_000])
})

test('[PAY-01] the same command again refunds once also when the provider tells by then that it was made', async () => {
  const { id } = await pay()
  await fixture.sandbox.fault({ operation: 'refund', kind: 'drop', booked: true })
  expect((await refund(id, { amount: '10' })).code).toBe(1)
  expect((await refund(id, { amount: '10' })).json()).toMatchObject({ refunded: '10.00', attempt: { refunded: '10.00' } })
  expect(await listRefunds(id)).toEqual([1_000])
  expect((await refund(id, { amount: '10' })).json()).toMatchObject({ refunded: '10.00', attempt: { refunded: '20.00' } })
  expect(await listRefunds(id)).toEqual([1_000, 1_000])
})

test('[PAY-01] after a refund without an answer another amount is refused until that one is known', async () => {
  const { id } = await pay()
  await fixture.sandbox.fault({ operation: 'refund', kind: 'drop', booked: false })
  expect((await refund(id, { amount: '10' })).code).toBe(1)
  const other = await refund(id, { amount: '20' })
  expect([other.code, other.err.join()]).toEqual([1, expect.stringContaining('an earlier refund of 10.00 AUD was made: repeat that one')])
  expect((await refund(id, { amount: '10' })).json()).toMatchObject({ refunded: '10.00' })
  const recorded = await refund(id, { amount: '5', made: true })
  expect([recorded.code, recorded.err.join()]).toEqual([1, expect.stringContaining('tells itself what was refunded')])
  expect(await listRefunds(id)).toEqual([1_000])
})

test('[PAY-01] what the bank does not take back, and what cannot be refunded, changes nothing and is said in a sentence', async () => {
  const { id } = await pay()
  await fixture.sandbox.fault({ operation: 'refund', kind: 'decline', booked: false, times: 2 })
  for (const refused of [await refund(id), await refund(id, { amount: '10' })]) {
    expect([refused.code, refused.err.join()]).toEqual([
      1,
      expect.stringMatching(/stripe refused the refund \(\w+, "[^"]+"\)\. Nothing was refunded\. Run the command again/),
    ])
    expect(refused.err.join()).not.toMatch(/nobody knows|your (card|bank)/i)
  }
  for (const [options, words] of [
    [{ amount: '110.01' }, 'Only 110.00 AUD of the payment are left to refund.'],
    [{ amount: '-5' }, 'write it as 12.50'],
    [{ amount: '1,50' }, 'write it as 12.50'],
    [{ amount: '1.234' }, 'AUD has 2 decimals'],
    [{ amount: '0.00' }, 'nothing to refund'],
    [{ yes: false }, 'say --yes'],
  ] as const) {
    const answer = await refund(id, options)
    expect([answer.code, answer.err.join()], JSON.stringify(options)).toEqual([1, expect.stringContaining(words)])
  }
  const declined = await pay('4000000000000002')
  expect((await refund(declined.id)).err.join()).toContain('The payment is declined: there is nothing to refund.')
  expect((await refund('nonsense')).err.join()).toContain('There is no payment nonsense.')
  expect(await listRefunds(id)).toEqual([])
  await runWorkerAfter(fixture, 60_000)
})
