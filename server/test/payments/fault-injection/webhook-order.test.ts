import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { receiveWebhook } from '../../../src/payments/webhooks/webhook-events.ts'
import { processWebhookEvents } from '../../support/jobs.ts'
import { compareLedgers } from './compare-ledgers.ts'
import type { FaultCase } from './fault-cases.ts'
import { type FaultContext, openFaultContext, runCount } from './fault-context.ts'
import { chargeIntentOn, FIRST_SUBMIT, signedWebhook, preparePayment } from './single-payment.ts'

/** On PostgreSQL only races differ. */
const RUNS = runCount(inject('testDatabase').kind === 'embedded' ? 60 : 30)
const DAY = 86_400_000

let fixture: FaultContext

beforeAll(async () => {
  fixture = await openFaultContext()
})
afterAll(() => fixture.context.close())

const behaviours = fc.constantFrom<FaultCase['provider'][]>(
  'ok',
  'declined',
  'settles later',
  'fails later',
  'taken back later',
  'garbage',
  'error, charged',
)
const KINDS = ['processing', 'paid', 'declined', 'failed', 'taken back', 'refunded', 'cancelled']
/** Webhooks in any order, some twice, some never, with days passing in between. */
const histories = fc.array(fc.oneof(fc.nat({ max: KINDS.length - 1 }), fc.constant('a day' as const)), { maxLength: 14 })

test('[PAY-01] whichever webhooks come, in whatever order and however often, the payment ends as the provider has it', async () => {
  await fc.assert(
    fc.asyncProperty(behaviours, histories, async (behaviour, events) => {
      const { context, payer } = fixture
      const { faultCase, provider, payments, intentIds, invoiceIds } = await preparePayment(fixture, behaviour)
      const submission = { intentId: intentIds[0] ?? '', submit: FIRST_SUBMIT, isDebit: behaviour.endsWith('later') }
      const attempt = await chargeIntentOn(payments, fixture, submission)
      const from = { provider: 'bpoint', resellerId: payer.resellerId }
      const deliver = (eventId: string, kind: string): Promise<void> =>
        receiveWebhook(payments, from, signedWebhook(attempt.id, eventId, kind))
      for (const event of events) {
        if (event === 'a day') {
          context.advance(DAY)
          provider.passTime()
        } else await deliver(`${event}`, KINDS[event] ?? '')
        await Promise.all([processWebhookEvents(payments), processWebhookEvents(payments)])
      }
      context.advance(4 * DAY)
      provider.passTime()
      await Promise.all([deliver('last', 'processing'), deliver('last', 'processing')])
      await Promise.all([processWebhookEvents(payments), processWebhookEvents(payments)])
      const observed = { faultCase: { ...faultCase, webhooks: 'normal' as const }, provider, intentIds, invoiceIds, reported: [] }
      const comparison = await compareLedgers(payments, payer, observed)
      await fixture.cleanUp(comparison.problems.length > 0)
      expect(comparison).toEqual({ problems: [], double: 0, lost: 0, stuck: 0 })
    }),
    { numRuns: RUNS },
  )
}, 86_400_000)
