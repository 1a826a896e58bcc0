import { expect, test } from 'vitest'
import { usePaymentsFixture } from '../../../test/payments/use-payments.ts'
import { runPaymentsCommand } from '../../../test/payments/payment-commands.ts'
import { addPayingCustomer, CARDS } from '../../../test/payments/payments-fixture.ts'
import { queryAsAdministrator } from '../../../test/support/people.ts'

const fixture = await usePaymentsFixture()
const payer = await addPayingCustomer(fixture)

interface Event {
  readonly cursor: number
  readonly kind: string
  readonly amount: string
  readonly resellerId: number
  readonly customerExternalId: string | null
  readonly invoices: { id: number; externalId: string | null; number: string; amount: string }[]
}

const events = async (options: Record<string, string> = {}): Promise<Event[]> => {
  const { code, out, err } = await runPaymentsCommand(fixture.context, 'events', [], options)
  expect([code, err]).toEqual([0, []])
  return out.map((line) => JSON.parse(line) as Event)
}

const pay = async (): Promise<number> => {
  const invoice = await payer.invoice()
  const paid = await payer.pay(await payer.intent(invoice), { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  expect(paid.statusCode, paid.body).toBe(200)
  return invoice
}

test('[PAY-01] [OPS-03] the billing engine gets each payment once, and continues at its cursor', async () => {
  expect(await events()).toEqual([])
  const paid = [await pay(), await pay(), await pay()]
  const all = await events()
  expect(all.map(({ cursor, kind, invoices }) => [cursor, kind, invoices[0]?.id])).toEqual(
    paid.map((id, at) => [at + 1, 'payment.succeeded', id]),
  )
  expect(all[0]).toMatchObject({ amount: '110.00', currency: 'AUD', resellerId: payer.resellerId, customerId: payer.customerId })
  expect(await events({ since: '1', most: '1' })).toEqual([all[1]])
  expect(await events({ since: '3' })).toEqual([])
  await pay()
  expect((await events({ since: '3' })).map(({ cursor }) => cursor)).toEqual([4])
  expect((await events()).slice(0, 3)).toEqual(all)
})

test('[PAY-01] an event names the customer and the invoice as the billing engine knows them', async () => {
  const { customerId } = payer
  await queryAsAdministrator(fixture.context, 'update customer set external_id = $2 where id = $1', [customerId, 'C-1001'])
  const last = (await events()).at(-1)?.cursor ?? 0
  const invoice = await payer.invoice({ external_id: 'I-77', number: '2026-0077' })
  const intent = await payer.intent(invoice)
  await payer.pay(intent, { cardToken: await payer.cardToken(CARDS.declined), cardHolder: 'Ada Payer' })
  await payer.pay(intent, { cardToken: await payer.cardToken(), cardHolder: 'Ada Payer' })
  const named = { customerExternalId: 'C-1001', invoices: [{ id: invoice, externalId: 'I-77', number: '2026-0077', amount: '110.00' }] }
  const received = await events({ since: String(last) })
  expect(received).toMatchObject([
    { kind: 'payment.failed', ...named, reason: { code: 'card_declined', message: expect.stringContaining('declined') as string } },
    { kind: 'payment.succeeded', ...named },
  ])
  expect(received[1]).not.toHaveProperty('reason')
})

test('[PAY-01] an event that is written early and committed late stands behind those that were read meanwhile', async () => {
  const before = await events()
  const last = before.at(-1)?.cursor ?? 0
  await pay()
  await pay()
  // As if the first of the two had not been committed when the second was read.
  await queryAsAdministrator(
    fixture.context,
    `with two as (select id, row_number() over (order by id) n from payment_outbox where place is null)
    update payment_outbox o set place = ${last + 1} from two where two.id = o.id and two.n = 2`,
  )
  const seen = await events({ since: String(last) })
  expect(seen.map(({ cursor }) => cursor)).toEqual([last + 1, last + 2])
  const readers = await Promise.all(Array.from({ length: 6 }, () => events()))
  for (const read of readers) expect(read).toEqual([...before, ...seen])
})

test('[OPS-03] a cursor that is none is refused', async () => {
  for (const since of ['-1', 'x', '1.5', '']) {
    const refused = await runPaymentsCommand(fixture.context, 'events', [], { since })
    expect([refused.code, refused.err.join()]).toEqual([1, expect.stringContaining('whole numbers')])
  }
  expect((await runPaymentsCommand(fixture.context, 'events', [], { reseller: 'Nobody' })).err).toEqual([
    'There is no reseller named Nobody.',
  ])
})
