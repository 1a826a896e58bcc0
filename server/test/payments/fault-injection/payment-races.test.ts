import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '../../../src/db/database.ts'
import { ApiError } from '../../../src/kit/api-error.ts'
import { cancelAttempt, lookUpAttempt } from '../../../src/payments/engine/look-up.ts'
import { receiveWebhook } from '../../../src/payments/webhooks/webhook-events.ts'
import { processWebhookEvents } from '../../support/jobs.ts'
import type { PaymentsDeps } from '../../../src/payments/payments-deps.ts'
import type { Attempt } from '../../../src/payments/attempts/attempt.queries.ts'
import { sweepAttempts } from '../../../src/payments/engine/sweep.ts'
import { compareLedgers, type ReportedStatus } from './compare-ledgers.ts'
import type { FakeProvider } from './fake-provider.ts'
import { type SideEffects, isBusy } from './crashing-server.ts'
import type { FaultCase } from './fault-cases.ts'
import { type FaultContext, openFaultContext, runCount } from './fault-context.ts'
import { chargeIntentOn, FIRST_SUBMIT, signedWebhook, preparePayment, type Submit, SUBMIT_WITH_ANOTHER_CARD } from './single-payment.ts'

const RUNS = runCount(40)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** When look-ups run afterwards, until every outcome is known. */
const WAITS = [1, 3, 6, 16, 66].map((minutes) => minutes * MINUTE).concat([1.1 * DAY, 1.1 * DAY])

let fixture: FaultContext

beforeAll(async () => {
  fixture = await openFaultContext()
})
afterAll(() => fixture.context.close())

/** A server whose transactions and calls start when the scheduler lets them. */
class ScheduledServer implements SideEffects {
  readonly #scheduler: fc.Scheduler

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler
  }

  async runEffect<T>(work: () => Promise<T>): Promise<T> {
    await this.#scheduler.schedule(Promise.resolve(), 'a call to the provider')
    return work()
  }

  store(of: Store): Store {
    return {
      ...of,
      transact: async (as, work, options) => {
        await this.#scheduler.schedule(Promise.resolve(), 'a transaction')
        return of.transact(as, work, options)
      },
    }
  }

  on(payments: PaymentsDeps, fake: FakeProvider): PaymentsDeps {
    const provider = fake.provider(this)
    return { ...payments, store: this.store(payments.store), providers: () => provider }
  }
}

const behaviours = fc.constantFrom<FaultCase['provider'][]>(
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
/** Whether the first submission is answered before the others start, and how much later they do. */
const starts = fc.record({
  isAnswered: fc.boolean(),
  isConfirmed: fc.boolean(),
  minutes: fc.constantFrom(0, 1, 3, 12, 61),
  retries: fc.array(
    fc.constantFrom(
      FIRST_SUBMIT,
      SUBMIT_WITH_ANOTHER_CARD,
      { ...FIRST_SUBMIT, key: 'a new submission' },
      { ...FIRST_SUBMIT, key: 'another new submission' },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  webhooks: fc.integer({ min: 1, max: 3 }),
  sweepers: fc.integer({ min: 1, max: 2 }),
})

/** Null where the request was rejected or must be retried. */
const ignoreRejection = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError || isBusy(error)) return null
    throw error
  }
}

test('[PAY-01] the return, the webhook, the sweep and another try at once, in every order of their steps: paid once, as the provider has it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), behaviours, starts, async (scheduler, behaviour, start) => {
      const { context, payer } = fixture
      const { faultCase, provider, payments, intentIds, invoiceIds } = await preparePayment(fixture, behaviour)
      const racingPayments = new ScheduledServer(scheduler).on(payments, provider)
      const reported: ReportedStatus[] = []
      const report = (attempt: Attempt | null): Attempt | null => {
        if (attempt !== null)
          reported.push({
            attemptId: attempt.id,
            status: attempt.status,
            wasPaid: provider.payments.get(attempt.id)?.state === 'succeeded',
          })
        return attempt
      }
      const submitOn = (on: PaymentsDeps, submit: Submit): Promise<Attempt | null> =>
        ignoreRejection(chargeIntentOn(on, fixture, { intentId: intentIds[0] ?? '', submit, isDebit: behaviour.endsWith('later') })).then(
          report,
        )
      const first = start.isAnswered ? await submitOn(payments, FIRST_SUBMIT) : null
      if (first !== null && start.isConfirmed) provider.confirmAtBank(first.id)
      context.advance(start.minutes * MINUTE)
      provider.passTime()

      const comeBack = async (attempt: Attempt): Promise<void> => {
        const looked = report(await lookUpAttempt(racingPayments, attempt, 'return'))
        if (looked?.status === 'requires_action') report(await cancelAttempt(racingPayments, looked))
      }
      const notify = async (attempt: Attempt, at: number): Promise<void> => {
        await receiveWebhook(
          racingPayments,
          { provider: 'bpoint', resellerId: payer.resellerId },
          signedWebhook(attempt.id, `${at}`, 'paid'),
        )
        await processWebhookEvents(racingPayments)
      }
      const actors = [
        ...(first === null
          ? [submitOn(racingPayments, FIRST_SUBMIT)]
          : [ignoreRejection(comeBack(first)), ignoreRejection(comeBack(first))]),
        ...(first === null ? [] : Array.from({ length: start.webhooks }, (_, at) => ignoreRejection(notify(first, at)))),
        ...Array.from({ length: start.sweepers }, () => ignoreRejection(sweepAttempts(racingPayments))),
        ...start.retries.map((submit) => submitOn(racingPayments, submit)),
      ]
      await scheduler.waitFor(Promise.all(actors))

      for (const ms of WAITS) {
        context.advance(ms)
        provider.passTime()
        await processWebhookEvents(payments)
        await sweepAttempts(payments)
      }
      const comparison = await compareLedgers(payments, payer, { faultCase, provider, intentIds, invoiceIds, reported })
      await fixture.cleanUp(comparison.problems.length > 0)
      expect(comparison).toEqual({ problems: [], double: 0, lost: 0, stuck: 0 })
    }),
    { numRuns: RUNS },
  )
}, 86_400_000)
