import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { processWebhookEvents, receiveWebhook } from '../../../src/payments/webhooks/webhook-events.ts'
import { compareBooks } from './compare-ledgers.ts'
import type { FaultCase } from './fault-cases.ts'
import { type FaultContext, faultContext, runsOf } from './fault-context.ts'
import { chargeOn, FIRST_PRESS, noticeOf, onePayment } from './single-payment.ts'

/** On the server it is the races that differ. */
const RUNS = runsOf(inject('testDatabase').kind === 'embedded' ? 60 : 30)
const DAY = 86_400_000

let bench: FaultContext

beforeAll(async () => {
  bench = await faultContext()
})
afterAll(() => bench.context.close())

const behaviours = fc.constantFrom<FaultCase['company'][]>(
  'ok',
  'declined',
  'settles later',
  'fails later',
  'taken back later',
  'garbage',
  'error, charged',
)
const KINDS = ['processing', 'paid', 'declined', 'failed', 'taken back', 'refunded', 'cancelled']
/** Notices in any order, some twice, some never, and a day that passes now and then. */
const history = fc.array(fc.oneof(fc.nat({ max: KINDS.length - 1 }), fc.constant('a day' as const)), { maxLength: 14 })

test('[PAY-01] whichever notices come, in whatever order and however often, the payment ends as the company has it', async () => {
  await fc.assert(
    fc.asyncProperty(behaviours, history, async (behaviour, events) => {
      const { context, payer } = bench
      const { one, company, payments, intentIds, invoiceIds } = await onePayment(bench, behaviour)
      const wish = { intentId: intentIds[0] ?? '', press: FIRST_PRESS, isDebit: behaviour.endsWith('later') }
      const attempt = await chargeOn(payments, bench, wish)
      const from = { provider: 'bpoint', resellerId: payer.resellerId }
      const bring = (eventId: string, kind: string): Promise<void> => receiveWebhook(payments, from, noticeOf(attempt.id, eventId, kind))
      for (const event of events) {
        if (event === 'a day') {
          context.advance(DAY)
          company.passTime()
        } else await bring(`${event}`, KINDS[event] ?? '')
        await Promise.all([processWebhookEvents(payments), processWebhookEvents(payments)])
      }
      context.advance(4 * DAY)
      company.passTime()
      await Promise.all([bring('last', 'processing'), bring('last', 'processing')])
      await Promise.all([processWebhookEvents(payments), processWebhookEvents(payments)])
      const heard = { one: { ...one, notices: 'normal' as const }, company, intentIds, invoiceIds, told: [] }
      const verdict = await compareBooks(payments, payer, heard)
      await bench.swept(verdict.wrong.length > 0)
      expect(verdict).toEqual({ wrong: [], double: 0, lost: 0, stuck: 0 })
    }),
    { numRuns: RUNS },
  )
}, 86_400_000)
