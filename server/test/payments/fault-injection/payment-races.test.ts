import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '../../../src/db/database.ts'
import { ApiError } from '../../../src/kit/api-error.ts'
import { cancelAttempt, lookUpAttempt } from '../../../src/payments/engine/look-up.ts'
import { processWebhookEvents, receiveWebhook } from '../../../src/payments/webhooks/webhook-events.ts'
import type { PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import type { Attempt } from '../../../src/payments/engine/settle.queries.ts'
import { sweepAttempts } from '../../../src/payments/engine/sweep.ts'
import { compareBooks, type Told } from './compare-ledgers.ts'
import type { Company } from './fake-provider.ts'
import { type Effects, isBusy } from './crashing-server.ts'
import type { FaultCase } from './fault-cases.ts'
import { type FaultContext, faultContext, runsOf } from './fault-context.ts'
import { chargeOn, FIRST_PRESS, noticeOf, onePayment, type Press, WITH_ANOTHER_CARD } from './single-payment.ts'

const RUNS = runsOf(40)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** What is asked afterwards, until every outcome is known. */
const WAITS = [1, 3, 6, 16, 66].map((minutes) => minutes * MINUTE).concat([1.1 * DAY, 1.1 * DAY])

let bench: FaultContext

beforeAll(async () => {
  bench = await faultContext()
})
afterAll(() => bench.context.close())

/** A server whose transactions and calls begin when the scheduler lets them. */
class ScheduledServer implements Effects {
  readonly #scheduler: fc.Scheduler

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler
  }

  async effect<T>(work: () => Promise<T>): Promise<T> {
    await this.#scheduler.schedule(Promise.resolve(), 'a call to the company')
    return work()
  }

  store(of: Store): Store {
    return {
      ...of,
      transact: async (as, work, lane) => {
        await this.#scheduler.schedule(Promise.resolve(), 'a transaction')
        return of.transact(as, work, lane)
      },
    }
  }

  on(payments: PaymentsDeps, company: Company): PaymentsDeps {
    const provider = company.provider(this)
    return { ...payments, store: this.store(payments.store), providers: () => provider }
  }
}

const behaviour = fc.constantFrom<FaultCase['company'][]>(
  'ok',
  'declined',
  'asks the payer',
  'settles later',
  'silent, charged',
  'silent, not charged',
  'error, charged',
  'error, not charged',
  'garbage',
)
/** Is the first submission answered before the others begin, and how much later do they? */
const beginning = fc.record({
  isAnswered: fc.boolean(),
  isConfirmed: fc.boolean(),
  minutes: fc.constantFrom(0, 1, 3, 12, 61),
  retries: fc.array(
    fc.constantFrom(FIRST_PRESS, WITH_ANOTHER_CARD, { ...FIRST_PRESS, key: 'a new wish' }, { ...FIRST_PRESS, key: 'another new wish' }),
    { minLength: 1, maxLength: 3 },
  ),
  notices: fc.integer({ min: 1, max: 3 }),
  sweepers: fc.integer({ min: 1, max: 2 }),
})

/** Null where it was refused, or is to be tried again. */
const unlessRefused = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError || isBusy(error)) return null
    throw error
  }
}

test('[PAY-01] the return, the notice, the sweep and another try at once, in every order of their steps: paid once, as the company has it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), behaviour, beginning, async (scheduler, met, begun) => {
      const { context, payer } = bench
      const { one, company, payments, intentIds, invoiceIds } = await onePayment(bench, met)
      const racing = new ScheduledServer(scheduler).on(payments, company)
      const told: Told[] = []
      const hear = (attempt: Attempt | null): Attempt | null => {
        if (attempt !== null)
          told.push({ attemptId: attempt.id, status: attempt.status, wasPaid: company.books.get(attempt.id)?.state === 'paid' })
        return attempt
      }
      const submit = (on: PaymentsDeps, press: Press): Promise<Attempt | null> =>
        unlessRefused(chargeOn(on, bench, { intentId: intentIds[0] ?? '', press, isDebit: met.endsWith('later') })).then(hear)
      const first = begun.isAnswered ? await submit(payments, FIRST_PRESS) : null
      if (first !== null && begun.isConfirmed) company.confirmAtBank(first.id)
      context.advance(begun.minutes * MINUTE)
      company.passTime()

      const comeBack = async (attempt: Attempt): Promise<void> => {
        const looked = hear(await lookUpAttempt(racing, attempt, 'return'))
        if (looked?.status === 'action') hear(await cancelAttempt(racing, looked))
      }
      const notify = async (attempt: Attempt, at: number): Promise<void> => {
        await receiveWebhook(racing, { provider: 'bpoint', resellerId: payer.resellerId }, noticeOf(attempt.id, `${at}`, 'paid'))
        await processWebhookEvents(racing)
      }
      const actors = [
        ...(first === null ? [submit(racing, FIRST_PRESS)] : [unlessRefused(comeBack(first)), unlessRefused(comeBack(first))]),
        ...(first === null ? [] : Array.from({ length: begun.notices }, (_, at) => unlessRefused(notify(first, at)))),
        ...Array.from({ length: begun.sweepers }, () => unlessRefused(sweepAttempts(racing))),
        ...begun.retries.map((press) => submit(racing, press)),
      ]
      await scheduler.waitFor(Promise.all(actors))

      for (const ms of WAITS) {
        context.advance(ms)
        company.passTime()
        await processWebhookEvents(payments)
        await sweepAttempts(payments)
      }
      const verdict = await compareBooks(payments, payer, { one, company, intentIds, invoiceIds, told })
      await bench.swept(verdict.wrong.length > 0)
      expect(verdict).toEqual({ wrong: [], double: 0, lost: 0, stuck: 0 })
    }),
    { numRuns: RUNS },
  )
}, 86_400_000)
