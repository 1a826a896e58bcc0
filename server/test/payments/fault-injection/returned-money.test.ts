import { expect, test } from 'vitest'
import { lookUpAttempt } from '../../../src/payments/engine/look-up.ts'
import { findAttempt, type Attempt } from '../../../src/payments/attempts/attempt.queries.ts'
import { transactAsReseller } from '../../../src/payments/payments-deps.ts'
import { reconcile } from '../../../src/payments/reconciliation/reconcile.ts'
import { queryAsAdministrator } from '../../support/people.ts'
import { payByLink, type PayingCustomer, returnToNow, runWorkerAfter } from '../payments-fixture.ts'
import { usePaymentsFixture } from '../use-payments.ts'
import { type Comeback, COMEBACKS, giveBack, MISSING, PART_MINOR, settleAtBank } from './provider-returns.ts'
import { linkPageOf } from './link-page.ts'
import type { ProviderDriver } from '../providers/provider-driver.ts'
import { addPayerAt, PROVIDER_DRIVERS } from '../providers/provider-drivers.ts'

const fixture = await usePaymentsFixture({ PAYMENT_TIMEOUT_MS: '400' })

const AMOUNT_MINOR = 9_900
const MINUTE_MS = 60_000

const connect = (provider: ProviderDriver): Promise<PayingCustomer> => addPayerAt(fixture, provider, { payment_email_receipt: true })

const attemptOf = async (payer: PayingCustomer, invoice: number): Promise<Attempt> => {
  const [row] = await queryAsAdministrator<{ id: string }>(
    fixture.context,
    'select attempt_id as id from payment_attempt_item where invoice_id = $1',
    [invoice],
  )
  const key = { ...payer, id: row?.id ?? '' }
  const attempt = await transactAsReseller(fixture.payments, payer.resellerId, (db) => findAttempt(db, key))
  if (attempt === undefined) throw new Error('there is no attempt')
  return attempt
}

/** What there is to see of a payment. */
interface End {
  readonly status: string
  readonly invoiceStatus: number
  readonly due: number
  /** What the ledger holds of it. */
  readonly held: number
  readonly receipts: number
  readonly events: readonly string[]
}

const endOf = async (invoice: number): Promise<End> => {
  const [end] = await queryAsAdministrator<End>(
    fixture.context,
    `select a.status, v.status::int as "invoiceStatus", v.amount_due_minor::int as due,
       (select coalesce(sum(b.amount_minor), 0)::int from payment_allocation b where b.attempt_id = a.id) as held,
       (select count(*)::int from mail m where m.payment_attempt_id = a.id) as receipts,
       (select coalesce(array_agg(o.kind order by o.id), '{}') from payment_outbox o where o.payload->>'attemptId' = a.id::text) as events
     from payment_attempt_item i join payment_attempt a on a.id = i.attempt_id join invoice v on v.id = i.invoice_id where v.id = $1`,
    [invoice],
  )
  if (end === undefined) throw new Error('there is no attempt')
  return end
}

const OPEN = { invoiceStatus: 1, due: AMOUNT_MINOR, held: 0 }
const PAID = { invoiceStatus: 11, due: 0, receipts: 1 }
const NEVER_PAID = { ...OPEN, receipts: 0, events: ['payment.failed'] }
const PART_KEPT = { ...PAID, status: 'succeeded', held: AMOUNT_MINOR - PART_MINOR, events: ['payment.succeeded', 'payment.refunded'] }
const ALL_REFUNDED = { ...PAID, status: 'refunded', held: 0, events: ['payment.succeeded', 'payment.refunded'] }

/** What must come of a payment of which the company gave back so much before the first look-up. */
const BEFORE: Readonly<Record<Comeback, object>> = {
  void: { ...NEVER_PAID, status: 'expired' },
  refund: { ...NEVER_PAID, status: 'reversed' },
  'partial refund': PART_KEPT,
  chargeback: { ...NEVER_PAID, status: 'reversed' },
}

/** The same once it was recorded as paid. */
const AFTER: Readonly<Record<Comeback, object>> = {
  void: ALL_REFUNDED,
  refund: ALL_REFUNDED,
  'partial refund': PART_KEPT,
  chargeback: { ...OPEN, status: 'reversed', receipts: 1, events: ['payment.succeeded', 'payment.reversed'] },
}

/** A status check at Moneris answers with the first receipt, whatever was given back since, and there is no list (its README). */
const UNSEEN = { ...PAID, status: 'succeeded', held: AMOUNT_MINOR, events: ['payment.succeeded'] }
const tellsOfReturns = ({ name }: ProviderDriver): boolean => name !== 'moneris'

/** Pays an invoice by link; without an answer where it is looked up first. */
const pay = async (provider: ProviderDriver, payer: PayingCustomer, isAnswered: boolean): Promise<number> => {
  // The stand-ins keep real time, so that each payment begins at it.
  returnToNow(fixture)
  await provider.setClock?.(fixture.sandbox, fixture.context.clock())
  const amounts = { net_minor: 9_000, amount_minor: AMOUNT_MINOR, amount_due_minor: AMOUNT_MINOR }
  const invoice = await payer.invoice({ currency: provider.currency, ...amounts })
  const fields = await provider.cardFields(await linkPageOf(fixture, payer, invoice))
  if (!isAnswered) await fixture.sandbox.fault({ provider: provider.name, operation: 'charge', kind: 'drop', booked: true })
  await payByLink(fixture, invoice, '', { cardToken: undefined, invoiceAmount: '99.00', email: 'ada@payer.example', ...fields })
  return invoice
}

const lookUpAgain = async (provider: ProviderDriver): Promise<void> => {
  for (const minutes of [3, 6, 16, 66]) {
    await runWorkerAfter(fixture, minutes * MINUTE_MS)
    await provider.setClock?.(fixture.sandbox, fixture.context.clock())
  }
}

const returnedBefore = async (provider: ProviderDriver, payer: PayingCustomer, comeback: Comeback): Promise<End> => {
  const invoice = await pay(provider, payer, false)
  expect((await endOf(invoice)).events, 'nobody has heard of it').toEqual([])
  await giveBack({ fixture, provider, resellerId: payer.resellerId }, await attemptOf(payer, invoice), comeback)
  await lookUpAgain(provider)
  return endOf(invoice)
}

/** What the company lists is found by reconciliation; Pinch lists no refunds, its webhook causes a look-up. */
const findReturns = async ({ name }: ProviderDriver, payer: PayingCustomer, invoice: number): Promise<void> => {
  if (name === 'pinch') await lookUpAttempt(fixture.payments, await attemptOf(payer, invoice), 'webhook')
  await reconcile(fixture.payments, payer.resellerId, 35)
}

const returnedAfter = async (provider: ProviderDriver, payer: PayingCustomer, comeback: Comeback): Promise<End> => {
  const invoice = await pay(provider, payer, true)
  expect(await endOf(invoice)).toMatchObject({ ...PAID, status: 'succeeded', held: AMOUNT_MINOR })
  await giveBack({ fixture, provider, resellerId: payer.resellerId }, await attemptOf(payer, invoice), comeback)
  fixture.context.advance(120 * MINUTE_MS)
  await provider.setClock?.(fixture.sandbox, fixture.context.clock())
  await findReturns(provider, payer, invoice)
  return endOf(invoice)
}

test.each(PROVIDER_DRIVERS.map((provider) => [provider.name, provider] as const))(
  '[PAY-01] %s: what had gone back before the first look-up never paid, what goes back after it was paid is a return',
  async (name, provider) => {
    const payer = await connect(provider)
    for (const comeback of COMEBACKS) {
      const missing = MISSING[name]?.[comeback]
      if (missing !== undefined) console.log(`${name}, ${comeback}: left out, ${missing}`)
      if (missing !== undefined) continue
      const ends = tellsOfReturns(provider) ? [BEFORE[comeback], AFTER[comeback]] : [UNSEEN, UNSEEN]
      expect.soft(await returnedBefore(provider, payer, comeback), `${comeback} before`).toMatchObject(ends[0] ?? {})
      expect.soft(await returnedAfter(provider, payer, comeback), `${comeback} after`).toMatchObject(ends[1] ?? {})
    }
  },
  300_000,
)

/** Companies whose chargebacks can be won. */
const WINNABLE = PROVIDER_DRIVERS.filter(({ name }) => ['stripe', 'authorize', 'nexio'].includes(name)).map(
  (provider) => [provider.name, provider] as const,
)

test.each(WINNABLE)(
  '[PAY-01] %s: a chargeback that is won pays again, also one that came before anybody knew of the payment',
  async (_name, provider) => {
    const payer = await connect(provider)
    for (const isAnswered of [false, true]) {
      const invoice = await pay(provider, payer, isAnswered)
      const deps = { fixture, provider, resellerId: payer.resellerId }
      await giveBack(deps, await attemptOf(payer, invoice), 'chargeback')
      await lookUpAgain(provider)
      await reconcile(fixture.payments, payer.resellerId, 35)
      expect(await endOf(invoice)).toMatchObject({ ...OPEN, status: 'reversed' })
      await settleAtBank(deps, await attemptOf(payer, invoice), 'chargeback_won')
      await reconcile(fixture.payments, payer.resellerId, 35)
      expect(await endOf(invoice)).toMatchObject({ ...PAID, status: 'succeeded', held: AMOUNT_MINOR })
    }
  },
  120_000,
)

test.each(WINNABLE)(
  '[PAY-01] %s: a chargeback of the whole after a refund of a part takes what was left, and brings no more when it is won',
  async (_name, provider) => {
    const payer = await connect(provider)
    const invoice = await pay(provider, payer, true)
    const deps = { fixture, provider, resellerId: payer.resellerId }
    const compare = async () => {
      fixture.context.advance(120 * MINUTE_MS)
      await provider.setClock?.(fixture.sandbox, fixture.context.clock())
      await reconcile(fixture.payments, payer.resellerId, 35)
      const { reconciled: again } = await reconcile(fixture.payments, payer.resellerId, 35)
      const { refundedMinor, reversedMinor } = await attemptOf(payer, invoice)
      return { found: again.flatMap(({ discrepancies }) => discrepancies), refundedMinor, reversedMinor, ...(await endOf(invoice)) }
    }
    await giveBack(deps, await attemptOf(payer, invoice), 'partial refund')
    const kept = { found: [], refundedMinor: PART_MINOR, reversedMinor: 0, status: 'succeeded', held: AMOUNT_MINOR - PART_MINOR, due: 0 }
    expect(await compare()).toMatchObject(kept)
    await settleAtBank(deps, await attemptOf(payer, invoice), 'charged_back')
    const left = AMOUNT_MINOR - PART_MINOR
    expect(await compare()).toMatchObject({ ...kept, status: 'reversed', reversedMinor: left, held: 0, due: left, invoiceStatus: 1 })
    await settleAtBank(deps, await attemptOf(payer, invoice), 'chargeback_won')
    expect(await compare()).toMatchObject({ ...kept, invoiceStatus: 11 })
  },
  120_000,
)
