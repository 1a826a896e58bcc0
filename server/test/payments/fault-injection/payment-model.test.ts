import { randomUUID } from 'node:crypto'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { addMs } from '../../../src/kit/clock.ts'
import { ApiError } from '../../../src/kit/api-error.ts'
import { lookUpAttempt } from '../../../src/payments/engine/look-up.ts'
import { processWebhookEvents, receiveWebhook } from '../../../src/payments/webhooks/webhook-events.ts'
import { transactAsReseller, type PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import { reconcile } from '../../../src/payments/reconciliation/reconcile.ts'
import type { Attempt } from '../../../src/payments/engine/settle.queries.ts'
import { sweepAttempts } from '../../../src/payments/engine/sweep.ts'
import { beginPayment, writtenAttempts } from './ledger.queries.ts'
import { Company, type CompanyOrder } from './fake-provider.ts'
import type { FaultCase } from './fault-cases.ts'
import { type FaultContext, faultContext, runsOf } from './fault-context.ts'
import { chargeOn, FIRST_PRESS, noticeOf, type Press, serverOf, WITH_ANOTHER_CARD } from './single-payment.ts'
import { PaymentLedger } from './payment-ledger.ts'
import { creditInvoice, intentFor, standingInvoices } from './model-world.queries.ts'

const RUNS = runsOf(inject('testDatabase').kind === 'embedded' ? 12 : 8)
const COMMANDS = 40
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Until everything has come to its end. */
const WAITS = [1, 3, 6, 16, 66].map((minutes) => minutes * MINUTE).concat([1.1 * DAY, 1.1 * DAY, DAY, DAY, DAY])

let bench: FaultContext

beforeAll(async () => {
  bench = await faultContext()
})
afterAll(() => bench.context.close())

interface Paid {
  readonly intentId: string
  readonly invoiceIds: readonly number[]
  readonly asked: readonly { readonly invoiceId: number; readonly minor: number }[]
}

/** The real thing: the engine, the company, and those who pay. */
class World {
  readonly company: Company
  readonly payments: PaymentsDeps
  readonly intents: Paid[] = []
  readonly attempts = new Map<string, Attempt>()
  readonly failed = new Set<string>()

  constructor() {
    const one: FaultCase = { company: 'ok', client: 'once', notices: 'normal', shape: 'two steps', crash: null }
    this.company = new Company(one, bench.context.clock)
    this.payments = serverOf(bench, this.company)
  }

  as<T>(work: Parameters<typeof transactAsReseller<T>>[2]): Promise<T> {
    return transactAsReseller(this.payments, bench.payer.resellerId, work)
  }

  orders(state: CompanyOrder['state']): CompanyOrder[] {
    return [...this.company.books.values()].filter((order) => order.state === state)
  }

  invoices(ids: readonly number[]) {
    return this.as((db) => standingInvoices(db, bench.payer.customerId, ids))
  }

  /** Somebody is told how a payment stands: never paid before it was. */
  hear(attempt: Attempt): void {
    this.attempts.set(attempt.id, attempt)
    const order = this.company.books.get(attempt.id)
    if (attempt.status === 'succeeded') expect(order?.state, `${attempt.id} was called paid`).toBe('paid')
    if (attempt.status === 'declined' || attempt.status === 'not-sent' || attempt.status === 'expired') this.failed.add(attempt.id)
  }

  async submit(ledger: PaymentLedger, paid: Paid, press: Press, isDebit: boolean): Promise<Attempt | null> {
    try {
      const attempt = await chargeOn(this.payments, bench, { intentId: paid.intentId, press, isDebit })
      ledger.ask(attempt.id, this.#known(attempt) ?? paid.asked)
      this.hear(attempt)
      return attempt
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return null
      throw error
    }
  }

  #known({ intentId }: Attempt): Paid['asked'] | undefined {
    return this.intents.find((one) => one.intentId === intentId)?.asked
  }
}

type Command = fc.AsyncCommand<PaymentLedger, World>
const pick = <T>(from: readonly T[], at: number): T | undefined => (from.length === 0 ? undefined : from[at % from.length])

/** No invoice is in the company's hands twice, at any moment. */
const nothingTwice = (ledger: PaymentLedger, { company, intents, attempts }: World): void => {
  for (const id of ledger.ids) {
    const holding = [...company.books.values()].filter(
      (order) =>
        (order.state === 'paid' || order.state === 'processing') &&
        !order.isTakenBack &&
        intents.some(({ intentId, invoiceIds }) => invoiceIds.includes(id) && attempts.get(order.attemptId)?.intentId === intentId),
    )
    expect(holding.length, `invoice ${id}`).toBeLessThanOrEqual(1)
  }
}

const command = (name: string, run: (ledger: PaymentLedger, world: World) => Promise<void>): Command => ({
  check: () => true,
  run: async (ledger, world) => {
    await run(ledger, world)
    nothingTwice(ledger, world)
  },
  toString: () => name,
})

const issue = async (ledger: PaymentLedger, world: World, minor: number): Promise<void> => {
  const now = bench.context.clock()
  const begun = { payer: bench.payer, invoiceNumbers: [`MODEL-${randomUUID()}`], minor, intents: [{ id: randomUUID(), invoices: [0] }] }
  const [id = 0] = await world.as((db) => beginPayment(db, { ...begun, now, expiresAt: addMs(now, DAY) }))
  ledger.issue(id, minor)
}

const pay = (at: number, isTwo: boolean, behaviour: FaultCase['company']): Command =>
  command(`pay ${at}${isTwo ? ' and the next' : ''}, ${behaviour}`, async (ledger, world) => {
    const ids = [...new Set([pick(ledger.ids, at) ?? 0, ...(isTwo ? [pick(ledger.ids, at + 1) ?? 0] : [])])]
    const standing = await world.invoices(ids)
    const isFree = standing.every(({ status, dueMinor, isHeld }) => status === INVOICE_STATUS.open && dueMinor > 0 && !isHeld)
    const isOver = standing.some(({ status, isHeld }) => !isHeld && status !== INVOICE_STATUS.open)
    const asked = standing.map(({ id: invoiceId, dueMinor: minor }) => ({ invoiceId, minor }))
    if (asked.some(({ minor }) => minor <= 0)) return
    const intentId = await world.as((db) => intentFor(db, bench.payer, standing, bench.context.clock()))
    const paid = { intentId, invoiceIds: ids, asked }
    world.intents.push(paid)
    world.company.meetNext(behaviour)
    const attempt = await world.submit(ledger, paid, FIRST_PRESS, behaviour.endsWith('later'))
    if (isFree) expect(attempt, 'what is free can be paid').not.toBeNull()
    if (isOver) expect(attempt, 'what is paid or credited cannot be paid').toBeNull()
  })

const RETRIES = {
  'by the same key': () => FIRST_PRESS,
  'by the same key with another card': () => WITH_ANOTHER_CARD,
  'by a new key': () => ({ ...FIRST_PRESS, key: randomUUID() }),
}

const retry = (at: number, how: keyof typeof RETRIES): Command =>
  command(`retry ${at} ${how}`, async (ledger, world) => {
    const paid = pick(world.intents, at)
    world.company.meetNext('ok')
    if (paid !== undefined) await world.submit(ledger, paid, RETRIES[how](), false)
  })

const confirm = (at: number): Command =>
  command(`confirm ${at} at the bank`, async (_, world) => {
    world.company.confirmAtBank(pick(world.orders('action'), at)?.attemptId ?? '')
  })

const comeBack = (at: number): Command =>
  command(`come back ${at}`, async (_, world) => {
    const attempt = pick([...world.attempts.values()], at)
    if (attempt !== undefined) world.hear(await lookUpAttempt(world.payments, attempt, 'return'))
  })

const bring = (world: World, notice: { headers: Record<string, string>; raw: string }): Promise<void> =>
  receiveWebhook(world.payments, { provider: 'bpoint', resellerId: bench.payer.resellerId }, notice)

/** The company's own notices: lost, brought, or brought twice and backwards. */
const webhook = (times: number): Command =>
  command(`its notices ${times} times`, async (_, world) => {
    const due = world.company.dueNotices()
    for (const { raw, signature } of [...due, ...due.toReversed()].slice(0, due.length * times))
      await bring(world, { headers: { signature }, raw })
    await processWebhookEvents(world.payments)
  })

const lie = (at: number, kind: string): Command =>
  command(`a notice that says ${kind} of ${at}`, async (_, world) => {
    const attempt = pick([...world.attempts.values()], at)
    if (attempt !== undefined) await bring(world, noticeOf(attempt.id, randomUUID(), kind))
    await processWebhookEvents(world.payments)
  })

const sweep = (): Command => command('sweep', async (_, world) => void (await sweepAttempts(world.payments)))

const refund = (at: number, hundredths: number): Command =>
  command(`refund ${hundredths} % of ${at}`, async (_, world) => {
    const order = pick(
      world.orders('paid').filter(({ isTakenBack }) => !isTakenBack),
      at,
    )
    if (order === undefined) return
    const left = order.amount.minor - order.refundedMinor
    world.company.refund(order, (left * BigInt(hundredths)) / 100n)
  })

const credit = (at: number): Command =>
  command(`credit ${at} and issue it again`, async (ledger, world) => {
    const id = pick(ledger.ids, at) ?? 0
    const [standing] = await world.invoices([id])
    if (standing === undefined || standing.status === INVOICE_STATUS.paid || standing.status === INVOICE_STATUS.credited) return
    await world.as((db) => creditInvoice(db, bench.payer.customerId, id))
    ledger.credit(id)
    await issue(ledger, world, 7_000)
  })

const jump = (minutes: number): Command =>
  command(`${minutes} minutes later`, async (_, world) => {
    bench.context.advance(minutes * MINUTE)
    world.company.passTime()
  })

const BEHAVIOURS: readonly FaultCase['company'][] = [
  'ok',
  'ok',
  'declined',
  'asks the payer',
  'settles later',
  'fails later',
  'taken back later',
  'silent, charged',
  'silent, not charged',
  'error, charged',
  'error, not charged',
  'garbage',
]
const at = fc.nat({ max: 7 })
const commands = fc.commands(
  [
    fc.tuple(at, fc.boolean(), fc.constantFrom(...BEHAVIOURS)).map((given) => pay(...given)),
    fc.tuple(at, fc.boolean(), fc.constantFrom(...BEHAVIOURS)).map((given) => pay(...given)),
    fc
      .tuple(at, fc.constantFrom<keyof typeof RETRIES>('by the same key', 'by the same key with another card', 'by a new key'))
      .map((given) => retry(...given)),
    at.map(confirm),
    at.map(comeBack),
    fc.constantFrom(0, 1, 2).map(webhook),
    fc.tuple(at, fc.constantFrom('paid', 'failed', 'refunded', 'cancelled')).map((given) => lie(...given)),
    fc.constant(null).map(sweep),
    fc.tuple(at, fc.constantFrom(1, 40, 100)).map((given) => refund(...given)),
    at.map(credit),
    fc.constantFrom(1, 3, 11, 61, 1_500, 4_400).map(jump),
  ],
  { maxCommands: COMMANDS, size: 'max' },
)

/** What the book must have of an order in the end. */
const endOf = (order: CompanyOrder | undefined): { statuses: string[]; booked: number } => {
  if (order?.state !== 'paid') return { statuses: ['declined', 'not-sent', 'expired'], booked: 0 }
  if (order.isTakenBack) return { statuses: ['reversed'], booked: 0 }
  const booked = Number(order.amount.minor - order.refundedMinor)
  return { statuses: [booked === 0 ? 'refunded' : 'succeeded'], booked }
}

const expectTheEnd = async (ledger: PaymentLedger, world: World): Promise<void> => {
  const { resellerId, customerId } = bench.payer
  for (const ms of WAITS) {
    bench.context.advance(ms)
    world.company.passTime()
    await processWebhookEvents(world.payments)
    await sweepAttempts(world.payments)
  }
  await reconcile(world.payments, resellerId, 60)
  const [again] = await reconcile(world.payments, resellerId, 60)
  expect(again?.discrepancies, 'the lists agree in the end').toEqual([])
  const attempts = await world.as((db) =>
    writtenAttempts(
      db,
      customerId,
      world.intents.map(({ intentId }) => intentId),
    ),
  )
  for (const { id, status, booked } of attempts) {
    const end = endOf(world.company.books.get(id))
    expect([id, end.statuses.includes(status), status, booked]).toEqual([id, true, status, end.booked])
    if (world.failed.has(id)) expect(world.company.books.get(id)?.state, `${id} was called failed`).not.toBe('paid')
  }
  for (const order of world.orders('paid')) expect(attempts.map(({ id }) => id)).toContain(order.attemptId)
  for (const { id, status, dueMinor } of await world.invoices(ledger.ids))
    expect({ id, status, dueMinor }).toEqual({ id, ...ledger.expected(id, world.company.books.values()) })
}

test('[PAY-01] whatever people, the company, the billing engine and time do, the books end as a small ledger says', async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (given) => {
      const [ledger, world] = [new PaymentLedger(), new World()]
      for (let invoice = 0; invoice < 3; invoice += 1) await issue(ledger, world, 11_000)
      try {
        await fc.asyncModelRun(() => ({ model: ledger, real: world }), given)
        await expectTheEnd(ledger, world)
      } finally {
        await bench.swept(true) // each world has a company of its own, and its list is compared with all that is in the book
      }
    }),
    { numRuns: RUNS },
  )
}, 86_400_000)
