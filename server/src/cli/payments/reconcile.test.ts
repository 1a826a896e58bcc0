import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { openLog } from '../../kit/log.ts'
import { usePaymentsFixture } from '../../../test/payments/use-payments.ts'
import { reconcileAll } from '../../payments/reconciliation/reconcile.ts'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { addPayingCustomer } from '../../../test/payments/payments-fixture.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'

const fixture = await usePaymentsFixture()
const payer = await addPayingCustomer(fixture)

const later = (): void => {
  fixture.context.advance(2 * 3_600_000)
}

const pay = async (): Promise<{ id: string; ref: string; invoice: number }> => {
  fixture.advanceToNow()
  const invoice = await payer.invoice()
  const intent = await payer.intent(invoice)
  const paid = await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  expect(paid.statusCode, paid.body).toBe(200)
  const [row] = await queryAsAdministrator<{ id: string; ref: string }>(
    fixture.context,
    'select id, provider_ref as ref from payment_attempt where intent_id = $1',
    [intent.id],
  )
  return { id: row?.id ?? '', ref: row?.ref ?? '', invoice }
}

/** A payment that another program made at the provider under one of our attempt ids. */
const payThere = async (attempt: string): Promise<string> => {
  const made = await fixture.sandbox.stripe(
    '/v1/payment_intents',
    {
      amount: '11000',
      currency: 'aud',
      payment_method: await payer.cardToken(),
      'allowed_payment_method_types[0]': 'card',
      confirm: 'true',
      off_session: 'true',
      'metadata[attempt]': attempt,
    },
    payer.keys.secret,
  )
  expect(made['status'], JSON.stringify(made)).toBe('succeeded')
  return String(made['id'])
}

interface Found {
  readonly kind: string
  readonly reference: string
  readonly isMended: boolean
}

const reconcile = async (): Promise<{ code: number; discrepancies: Found[] }> => {
  const said = await runPaymentsCommand(fixture.context, 'payments reconcile', [], { reseller: String(payer.resellerId), json: true })
  expect(said.err).toEqual([])
  const { reconciled } = said.json<{ reconciled: Record<'drifts', Found[]>[] }>()
  return { code: said.code, discrepancies: reconciled.flatMap((one) => one.drifts) }
}

const queue = async (): Promise<{ kind: string; reference: string }[]> =>
  (await runPaymentsCommand(fixture.context, 'payments queue', [], { json: true })).json<
    Record<'drifts', { kind: string; reference: string }[]>
  >().drifts

// The first test, while this program's clock is that of the provider.
test('[PAY-01] [OPS-03] payments of the last hour are left out of the comparison, which says so', async () => {
  await pay()
  const options = { reseller: String(payer.resellerId) }
  const run = (json: boolean) => runPaymentsCommand(fixture.context, 'payments reconcile', [], { ...options, json })
  expect((await run(false)).out).toEqual([
    expect.stringContaining('0 of ours and 0 of theirs compared') as string,
    'Payments of the last hour are left out: they may still be in progress.',
  ])
  const until = new Date(fixture.context.clock().getTime() - 3_600_000).toISOString()
  expect((await run(true)).json()).toMatchObject({ until, reconciled: [{ ours: 0, theirs: 0 }] })
  later()
  expect((await run(true)).json()).toMatchObject({ reconciled: [{ ours: 1, theirs: 1 }] })
})

test('[PAY-01] ledgers that agree: nothing is found, however often', async () => {
  await pay()
  await pay()
  later()
  for (let time = 0; time < 2; time += 1) expect(await reconcile()).toEqual({ code: 0, discrepancies: [] })
  expect(await queue()).toEqual([])
})

test('[PAY-01] a refund without a webhook is found, looked up and recorded', async () => {
  const { ref, id } = await pay()
  await fixture.sandbox.stripe('/v1/refunds', { payment_intent: ref, amount: '4000' }, payer.keys.secret)
  later()
  expect(await reconcile()).toMatchObject({
    code: 0,
    discrepancies: [{ kind: 'refund', reference: ref, ours: '0.00', theirs: '40.00', isMended: true }],
  })
  const shown = await runPaymentsCommand(fixture.context, 'payments show', [id], { json: true })
  expect(shown.json()).toMatchObject({ attempt: { refunded: '40.00' } })
  expect(await reconcile()).toEqual({ code: 0, discrepancies: [] })
})

test('[PAY-01] a payment that was cancelled here and is paid at the provider is found and recorded', async () => {
  const { id, invoice } = await pay()
  await queryAsAdministrator(fixture.context, "update payment_attempt set status = 'expired' where id = $1", [id])
  await queryAsAdministrator(fixture.context, 'delete from payment_allocation where attempt_id = $1', [id])
  await queryAsAdministrator(fixture.context, 'update invoice set status = 1, amount_due_minor = 11000 where id = $1', [invoice])
  later()
  expect(await reconcile()).toMatchObject({ code: 0, discrepancies: [{ kind: 'paid-there', isMended: true }] })
  expect(await payer.readInvoice(invoice)).toMatchObject({ invoiceStatus: 11 })
})

test('[PAY-01] a discrepancy that a look-up cannot resolve stays in the queue until it is resolved or dismissed', async () => {
  const { id } = await pay()
  const twice = await payThere(id)
  const strange = await payThere(randomUUID())
  const { id: odd, ref } = await pay()
  await queryAsAdministrator(fixture.context, 'update payment_attempt set amount_minor = 10900 where id = $1', [odd])
  later()
  const { code, discrepancies } = await reconcile()
  expect(code).toBe(1)
  const open = [
    { kind: 'amount', reference: ref },
    { kind: 'duplicate', reference: twice },
    { kind: 'missing-here', reference: strange },
  ]
  const found = (list: readonly { kind: string; reference: string }[]) =>
    list.map(({ kind, reference }) => ({ kind, reference })).toSorted((one, other) => (one.kind < other.kind ? -1 : 1))
  expect(found(discrepancies)).toEqual(open)
  expect(found(await queue())).toEqual(open)
  await reconcileAll(fixture.payments)
  expect(found(await queue())).toEqual(open)

  await queryAsAdministrator(fixture.context, 'update payment_attempt set amount_minor = 11000 where id = $1', [odd])
  await fixture.sandbox.stripe('/v1/refunds', { payment_intent: twice }, payer.keys.secret)
  await reconcile()
  expect(found(await queue())).toEqual([{ kind: 'missing-here', reference: strange }])
  const dismiss = (options: Record<string, string>) =>
    runPaymentsCommand(fixture.context, 'payments dismiss', [strange], {
      reseller: String(payer.resellerId),
      reason: 'Paid by telephone.',
      ...options,
    })
  expect((await dismiss({ reason: '' })).err.join()).toContain('--reason')
  expect((await dismiss({})).out).toEqual([`${strange} is out of the queue.`])
  expect((await dismiss({})).code).toBe(1)
  expect(await reconcile()).toMatchObject({
    code: 0,
    discrepancies: [{ kind: 'missing-here', reference: strange, isMended: false, isDismissed: true }],
  })
  expect(await queue()).toEqual([])

  // With another amount it is another discrepancy, which needs review again.
  await queryAsAdministrator(fixture.context, 'update payment_discrepancy set theirs_minor = 10900 where provider_ref = $1', [strange])
  expect(await reconcile()).toMatchObject({ code: 1, discrepancies: [{ reference: strange, isDismissed: false }] })
  expect(found(await queue())).toEqual([{ kind: 'missing-here', reference: strange }])
})

test('[PAY-01] [OPS-03] a provider that does not answer is not an agreement', async () => {
  await fixture.sandbox.fault({ operation: 'list', kind: 'error', times: 1 })
  const silent = await runPaymentsCommand(fixture.context, 'payments reconcile', [], { reseller: String(payer.resellerId) })
  expect([silent.code, silent.out.join()]).toEqual([1, expect.stringContaining('did not return its list')])
  expect((await runPaymentsCommand(fixture.context, 'payments reconcile', [], { days: '0' })).err.join()).toContain('--days')
})

/** Leaves the account in use for another one, so that the payer's reseller has a former one. @returns both, the former one first */
const moveToOtherAccount = async (): Promise<number[]> => {
  const credentials = JSON.stringify({ secretKey: `sk_test_other_${payer.resellerId}`, webhookSecrets: [] })
  const [args, options] = [[String(payer.resellerId)], { credentials: '-', yes: true }]
  const moved = await runPaymentsCommand(fixture.context, 'reseller payments set', args, options, { '-': credentials })
  expect([moved.code, moved.err]).toEqual([0, []])
  const accounts = await queryAsAdministrator<{ id: number }>(
    fixture.context,
    "select id::int from payment_account where reseller_id = $1 and provider = 'stripe' order by id",
    [payer.resellerId],
  )
  return accounts.map(({ id }) => id)
}

const NOWHERE = 'http://127.0.0.1:1/stripe'
const setAddress = (accountId: number, address: string) =>
  queryAsAdministrator(fixture.context, 'update payment_account set base_url = $2 where id = $1', [accountId, address])

test('[PAY-01] [OPS-03] an account that does not answer, in use or former, does not stop the others, and is named', async () => {
  await pay()
  const later = await addPayingCustomer(fixture)
  const accounts = await moveToOtherAccount()
  expect(accounts).toHaveLength(2)
  for (const [silent = 0, answering = 0] of [accounts, accounts.toReversed()]) {
    await setAddress(silent, NOWHERE)
    const failure = { resellerId: payer.resellerId, provider: 'stripe', accountId: silent }
    const said = await runPaymentsCommand(fixture.context, 'payments reconcile', [], { json: true })
    expect([said.code, said.err]).toEqual([1, []])
    const { reconciled, failed } = said.json<{ reconciled: { resellerId: number; accountId: number }[]; failed: object[] }>()
    expect(failed).toEqual([{ ...failure, reason: expect.stringMatching(/^[^\n]+$/) }])
    expect(reconciled).toContainEqual(expect.objectContaining({ resellerId: payer.resellerId, accountId: answering }))
    expect(reconciled).toContainEqual(expect.objectContaining({ resellerId: later.resellerId }))
    const printed = (await runPaymentsCommand(fixture.context, 'payments reconcile')).out.join('\n')
    expect(printed).toContain(`stripe (account ${silent}): not compared, it did not return its list: `)
    expect(printed).toContain(`stripe (account ${answering}): `)

    const logged: string[] = []
    const log = openLog('info', new Writable({ write: (line: Buffer, _coding, done) => done(void logged.push(line.toString())) }))
    await reconcileAll({ ...fixture.payments, log })
    const lines = logged.map((line) => JSON.parse(line) as { msg: string; resellerId: number; accountId: number })
    const accountsOf = (message: string) =>
      lines.filter(({ msg }) => msg.includes(message)).map(({ resellerId, accountId }) => [resellerId, accountId])
    expect(accountsOf('could not be compared')).toEqual([[payer.resellerId, silent]])
    expect(accountsOf('was compared')).toContainEqual([payer.resellerId, answering])
    expect(accountsOf('was compared').map(([resellerId]) => resellerId)).toContain(later.resellerId)
    await setAddress(silent, `${fixture.sandbox.url}/stripe`)
  }
})
