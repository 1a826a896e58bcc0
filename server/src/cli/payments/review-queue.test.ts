import { afterAll, expect, test } from 'vitest'
import { sendRequest } from '../../../test/support/http-client.ts'
import { deliverMail, startTestMailbox } from '../../../test/support/mailbox.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { verifyAudit } from '../../audit/verify-audit.ts'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { paymentLinkOf, runWorkerAfter } from '../../../test/payments/payments-fixture.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'

const mailbox = await startTestMailbox()
afterAll(() => mailbox.close())
const { fixture, payer } = await usePayments({}, { MAIL_URL: mailbox.url, OPERATOR_EMAIL: 'desk@example.com' })

const DAYS_UNTIL_REVIEW = 12

/** A payment whose answer was lost; with `days`, its look-ups fail until it needs an operator. */
const lostPayment = async ({ booked, days }: { booked: boolean; days: number }): Promise<{ id: string; invoice: number }> => {
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  await fixture.sandbox.fault({ operation: 'charge', kind: 'drop', booked })
  await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  if (days > 0) await fixture.sandbox.fault({ operation: 'lookup', kind: 'error', times: days })
  for (let day = 0; day < days; day += 1) await runWorkerAfter(fixture, 25 * 3_600_000)
  const [attempt] = await queryAsAdministrator<{ id: string }>(fixture.context, 'select id from payment_attempt where intent_id = $1', [
    intent.id,
  ])
  return { id: attempt?.id ?? '', invoice }
}

const run = (command: string, args: readonly string[] = [], options = {}) =>
  runPaymentsCommand(fixture.context, `payments ${command}`, args, options)
const settleAs = (id: string, as: string, more = {}) =>
  run('settle', [id], { as, reason: 'The dashboard of the provider says so.', yes: true, json: true, ...more })

const listQueue = async (): Promise<string[]> => {
  const { attempts } = (await run('queue', [], { json: true })).json<{ attempts: { id: string }[] }>()
  return attempts.map(({ id }) => id)
}

test('[PAY-01] [OPS-03] what needs an operator is in the queue, is shown with its history, and leaves when the provider answers', async () => {
  expect((await run('queue')).out).toEqual(['Nothing needs an operator.'])
  const { id, invoice } = await lostPayment({ booked: true, days: DAYS_UNTIL_REVIEW })
  expect(await listQueue()).toEqual([id])
  expect((await run('queue', [], { reseller: String(payer.resellerId) })).out.join()).toContain(`${id}  reseller ${payer.resellerId}`)

  const shown = await run('show', [id], { json: true })
  expect(shown.json()).toMatchObject({
    attempt: { id, status: 'manual', amount: '110.00', currency: 'AUD', provider: 'stripe' },
    items: [{ invoiceId: invoice, amount: '110.00', isBlocked: true }],
    history: [{ to: 'created' }, { to: 'unknown' }, { from: 'unknown', to: 'manual' }],
    book: [],
  })
  expect((await run('show', [id])).out.join('\n')).toContain('unknown → manual')

  const asked = await run('look-up', [id], { json: true })
  expect(asked.json()).toMatchObject({ attempt: { status: 'succeeded' }, book: [{ kind: 'pay', target: 'invoice', amount: '110.00' }] })
  expect(await listQueue()).toEqual([])
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
})

test('[PAY-01] [OPS-03] [SP-01] a payment that needs an operator is told once by an event and a mail; operator and payer see what to do', async () => {
  await deliverMail(fixture.context)
  mailbox.empty()
  const { id, invoice } = await lostPayment({ booked: true, days: DAYS_UNTIL_REVIEW })
  // Asked once more without an answer, by whichever server: nobody is told again.
  await fixture.sandbox.fault({ operation: 'lookup', kind: 'error' })
  await run('look-up', [id])
  await deliverMail(fixture.context)
  await deliverMail(fixture.context)
  const events = await queryAsAdministrator<{ kind: string }>(
    fixture.context,
    "select kind from payment_outbox where payload->>'attemptId' = $1",
    [id],
  )
  expect(events).toEqual([{ kind: 'payment.needs_review' }])
  expect(mailbox.list()).toHaveLength(1)
  const [mail] = mailbox.list()
  expect(mail).toMatchObject({ to: 'desk@example.com', subject: 'A payment of 110.00 AUD needs an operator' })
  const steps = [`counterfoil payments settle ${id} --as paid`, `counterfoil payments settle ${id} --as failed`, 'Stripe Dashboard']
  for (const step of steps) expect([mail?.text, mail?.html]).toEqual([expect.stringContaining(step), expect.stringContaining(step)])
  const [customer] = await queryAsAdministrator<{ label: string }>(fixture.context, 'select label from customer where id = $1', [
    payer.customerId,
  ])
  expect(mail?.text).not.toContain(customer?.label)
  for (const command of [await run('queue'), await run('show', [id])])
    for (const step of [...steps, `counterfoil payments look-up ${id}`]) expect(command.out.join('\n')).toContain(step)

  const { token } = await paymentLinkOf(fixture.context, invoice)
  const details = (await sendRequest(fixture.app, { url: `/v1/ec/payment/details/${token}` })).json()
  expect(details).toMatchObject({ paymentStatus: 2, payment: { isUnderReview: true, reference: expect.stringMatching(/^\w{4}-\w{4}$/) } })
  const history = (await payer.me.get(`/v1/ec/invoices/${invoice}/payments`)).json()
  expect(history.payments[0]).toMatchObject({ outcome: 'checking', isUnderReview: true })

  const settled = await settleAs(id, 'failed')
  expect(settled.err.join()).toContain('The provider has just reported the outcome itself: succeeded.')
})

test('[PAY-01] an operator resolves a payment as paid: in the ledger, the outbox and the audit log, and only once', async () => {
  const { id, invoice } = await lostPayment({ booked: true, days: DAYS_UNTIL_REVIEW })
  await fixture.sandbox.fault({ operation: 'lookup', kind: 'error' })
  const settled = await settleAs(id, 'paid')
  expect(settled.json(), settled.err.join()).toMatchObject({ byCompany: false, attempt: { status: 'succeeded' } })
  expect(settled.json<{ history: object[] }>().history.at(-1)).toMatchObject({
    from: 'manual',
    to: 'succeeded',
    source: 'operator',
    note: 'manual resolution: The dashboard of the provider says so.',
  })
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11, amountDue: 0 })
  const audit = await queryAsAdministrator(
    fixture.context,
    `select action, actor_kind as kind, about_customer_id::int as customer, detail from audit_entry where subject = $1`,
    [`payment ${id}`],
  )
  expect(audit).toEqual([
    {
      action: 'payment.settled-by-hand',
      kind: 'operator',
      customer: payer.customerId,
      detail: 'paid: The dashboard of the provider says so.',
    },
  ])
  expect((await verifyAudit(fixture.context.store, fixture.context.keys)).faults).toEqual([])
  const again = await settleAs(id, 'failed')
  expect([again.code, again.err]).toEqual([1, ['The payment is succeeded already; it cannot be settled as failed.']])
})

test('[PAY-01] an operator resolves a payment as failed: the invoice can be paid again, once', async () => {
  const { id, invoice } = await lostPayment({ booked: false, days: DAYS_UNTIL_REVIEW })
  await fixture.sandbox.fault({ operation: 'lookup', kind: 'error' })
  expect((await settleAs(id, 'failed')).json()).toMatchObject({ attempt: { status: 'expired' }, items: [{ isBlocked: false }] })
  expect(await payer.readInvoice(invoice)).toMatchObject({ canPay: true })
  const intent = await payer.intent(invoice)
  const paid = await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  expect(paid.json(), paid.body).toMatchObject({ status: 'succeeded' })
})

test('[PAY-01] an operator never overrules the provider', async () => {
  const booked = await lostPayment({ booked: true, days: DAYS_UNTIL_REVIEW })
  const refused = await settleAs(booked.id, 'failed')
  expect([refused.code, refused.err.join()]).toEqual([
    1,
    expect.stringContaining('The provider has just reported the outcome itself: succeeded'),
  ])
  expect(await payer.readInvoice(booked.invoice)).toMatchObject({ invoiceStatus: 11 })

  const nothing = await lostPayment({ booked: false, days: DAYS_UNTIL_REVIEW })
  const denied = await settleAs(nothing.id, 'paid')
  expect([denied.code, denied.err.join()]).toEqual([1, expect.stringContaining('nothing was charged')])
  const given = await settleAs(nothing.id, 'failed')
  expect(given.json(), given.err.join()).toMatchObject({ byCompany: true, attempt: { status: 'expired' } })

  const other = await lostPayment({ booked: true, days: DAYS_UNTIL_REVIEW })
  for (const outcome of ['paid', 'failed']) {
    await fixture.sandbox.fault({ operation: 'lookup', kind: 'wrong-amount' })
    const odd = await settleAs(other.id, outcome)
    expect([odd.code, odd.err.join()]).toEqual([1, expect.stringContaining('is not what was requested')])
  }
  expect(await listQueue()).toEqual([other.id])
  await run('look-up', [other.id])
})

test('[PAY-01] [OPS-03] wrong input, and states that still resolve by themselves, are refused with a message', async () => {
  const { id } = await lostPayment({ booked: true, days: 0 })
  expect((await settleAs(id, 'failed')).err.join()).toContain('less than an hour ago')
  for (const [args, options, words] of [
    [[id], { as: 'maybe' }, '--as paid or --as failed'],
    [[id], { reason: '' }, '--reason'],
    [[id], { reason: 'x'.repeat(501) }, '--reason'],
    [[id], { yes: false }, '--yes'],
    [['not-an-id'], {}, 'There is no payment not-an-id.'],
    [['00000000-0000-4000-8000-000000000000'], {}, 'There is no payment'],
    [[], {}, 'There is no payment'],
  ] as const) {
    const refused = await run('settle', args, { as: 'paid', reason: 'Seen.', yes: true, ...options })
    expect([refused.code, refused.out, refused.err.join()]).toEqual([1, [], expect.stringContaining(words)])
  }
  expect((await run('queue', [], { reseller: 'Nobody' })).err).toEqual(['There is no reseller named Nobody.'])
  await run('look-up', [id])
  expect((await run('show', [id], { json: true })).json()).toMatchObject({ attempt: { status: 'succeeded' } })
})
