import { type Poller, startPoller } from '../kit/poller.ts'
import { processWebhookEvents } from '../payments/webhooks/webhook-events.ts'
import type { PaymentsDeps } from '../payments/payments-deps.ts'
import { sweepAttempts } from '../payments/engine/sweep.ts'

/** Looks into the notices of payment companies and into payments whose outcome is not known, in rounds, until it is stopped. */
export const startPaymentSweeper = (deps: PaymentsDeps): Poller =>
  startPoller({
    intervalMs: 5_000,
    run: async (signal) => {
      await processWebhookEvents(deps, signal)
      await sweepAttempts(deps, signal)
    },
    onError: (error) => deps.log.error({ err: error }, 'a round of payments failed'),
  })
