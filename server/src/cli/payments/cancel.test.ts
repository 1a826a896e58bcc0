import { expect, test } from 'vitest'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { CARDS } from '../../../test/payments/payments-fixture.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { verifyAudit } from '../../audit/verify-audit.ts'

const { fixture, payer } = await usePayments()

const cancel = (id: string, options: Readonly<Record<string, string | boolean>> = { yes: true }) =>
  runPaymentsCommand(fixture.context, 'payments cancel', [id], { json: true, ...options })

const begin = async (card: string): Promise<{ id: string; invoice: number }> => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  await payer.pay(intent, { cardToken: await payer.cardToken(card), cardHolder: 'Ada Payer' })
  const [attempt] = await queryAsAdministrator<{ id: string }>(fixture.context, 'select id from payment_attempt where intent_id = $1', [
    intent.id,
  ])
  return { id: attempt?.id ?? '', invoice }
}

test('[OPS-03] a payment whose payer stands at the bank is cancelled by an operator, who is asked first; the audit log says so', async () => {
  const { id, invoice } = await begin(CARDS.asks)
  expect((await cancel(id, {})).err.join()).toContain('say --yes')
  expect((await cancel(id)).json()).toMatchObject({ attempt: { status: 'expired' } })
  expect(await payer.readInvoice(invoice)).toMatchObject({ canPay: true })
  expect((await cancel(id)).err.join()).toContain('nothing to cancel')
  const audited = await queryAsAdministrator(
    fixture.context,
    "select 1 from audit_entry where action = 'payment.canceled' and subject = $1",
    [`payment ${id}`],
  )
  expect(audited).toHaveLength(1)
  expect((await verifyAudit(fixture.context.store, fixture.context.keys)).faults).toEqual([])
})

test('[OPS-03] a payment that was made is not cancelled, nor one that does not exist', async () => {
  const { id, invoice } = await begin(CARDS.good)
  expect((await cancel(id)).err.join()).toContain('The payment is succeeded')
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
  expect((await cancel(crypto.randomUUID())).err.join()).toContain('There is no payment')
})
