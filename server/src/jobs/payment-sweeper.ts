import { type Rounds, startRounds } from '../kit/poller.ts'
import { processNotices } from '../payments/webhooks/webhook-events.ts'
import type { PaymentsDeps } from '../payments/payments-deps.ts'
import { sweepAttempts } from '../payments/engine/sweep.ts'

/** Looks into the notices of payment companies and into payments whose outcome is not known, in rounds, until it is stopped. */
export const startPaymentSweeper = (deps: PaymentsDeps): Rounds =>
  startRounds({
    everyMs: 5_000,
    work: async (signal) => {
      await processNotices(deps, signal)
      await sweepAttempts(deps, signal)
    },
    failed: (error) => deps.log.error({ err: error }, 'a round of payments failed'),
  })
