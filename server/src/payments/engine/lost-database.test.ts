import { PROCESSING_TEXT } from '@counterfoil/contract/kit/payments/payment-status'
import { expect, inject, test } from 'vitest'
import { openCuttingProxy } from '../../../test/databases/cutting-proxy.ts'
import { runWorkerAfter } from '../../../test/payments/payments-fixture.ts'
import { usePayments } from '../../../test/payments/use-payments.ts'
import { clientFor, signInAs } from '../../../test/support/http-client.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'
import { buildApp } from '../../app.ts'
import { postgresStore } from '../../db/database.ts'

const database = inject('testDatabase')
const { fixture, payer } = await usePayments()
const MINUTE = 60_000
const CLAIM = 'payment_attempt_item'
const SETTLE = 'payment_allocation'

/** Pays on a server whose database breaks. @returns the answer, and the invoice's attempts and state once the worker has looked */
const payWhile = async (cut: 'before the commit' | 'during the commit', marker: string, stays = false) => {
  const [{ name }] = (await queryAsAdministrator<{ name: string }>(fixture.context, 'select current_database() as name')) as [
    { name: string },
  ]
  const url = new URL(database.kind === 'postgres' ? database.ownerUrl : '')
  url.pathname = name
  const proxy = await openCuttingProxy(url.href)
  const store = postgresStore(proxy.url, () => undefined, { maxPerPool: 5 })
  const app = await buildApp({ ...fixture.context, store }, { readiness: { isReady: true }, portalFolder: null })
  try {
    const invoice = await payer.invoice()
    const intent = await payer.intent(invoice)
    const [person] = await queryAsAdministrator<{ id: string; username: string }>(
      fixture.context,
      'select u.id, u.username from app_user u join user_customer c on c.user_id = u.id where c.customer_id = $1',
      [payer.customerId],
    )
    const client = clientFor(app, await signInAs(app, person ?? { id: '', username: '' }), payer.customerId)
    const body = { sessionId: intent.sessionId, cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' }
    proxy.cutAt(cut, marker, stays)
    const answer = await client.post('/v1/ec/payments/pay/bulk', body)
    expect(proxy.isCut).toBe(true)
    proxy.mend()
    for (const minutes of [1, 3, 6, 16]) await runWorkerAfter(fixture, minutes * MINUTE)
    const attempts = await queryAsAdministrator<{ status: string }>(
      fixture.context,
      'select status from payment_attempt where intent_id = $1',
      [intent.id],
    )
    return { answer, intent, statuses: attempts.map(({ status }) => status), after: await payer.readInvoice(invoice) }
  } finally {
    await app.close()
    await store.close()
    await proxy.close()
  }
}

const PROCESSING = { status: 'processing', redirectToUrl: null }

test('[PAY-01] a database that goes before the claim is stored: 503, nothing is charged, and the same can be paid again', async () => {
  const { answer, intent, statuses } = await payWhile('before the commit', CLAIM)
  expect([answer.statusCode, answer.json().code, statuses]).toEqual([503, 'database_unavailable', []])
  const again = await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  expect(again.json(), again.body).toMatchObject({ status: 'succeeded' })
})

test('[PAY-01] a claim whose commit has no answer is read again: processing, and given up without a charge', async () => {
  const { answer, statuses, after } = await payWhile('during the commit', CLAIM)
  expect(answer.json(), answer.body).toMatchObject(PROCESSING)
  expect([statuses, after.canPay]).toEqual([['not_sent'], true])
})

test('[PAY-01] a charge whose result cannot be stored is processing, never "try again", and paid once', async () => {
  const { answer, statuses, after } = await payWhile('before the commit', SETTLE)
  expect(answer.json(), answer.body).toMatchObject(PROCESSING)
  expect([statuses, after.invoiceStatus]).toEqual([['succeeded'], 11])
})

test('[PAY-01] a result whose commit has no answer is read again: paid', async () => {
  const { answer, statuses } = await payWhile('during the commit', SETTLE)
  expect(answer.json(), answer.body).toMatchObject({ status: 'succeeded' })
  expect(statuses).toEqual(['succeeded'])
})

test('[PAY-01] a database that stays away after a charge: the payment is being processed', async () => {
  const { answer, statuses, after } = await payWhile('during the commit', SETTLE, true)
  expect([answer.statusCode, answer.json().userMessage]).toEqual([409, PROCESSING_TEXT])
  expect([statuses, after.invoiceStatus]).toEqual([['succeeded'], 11])
})
