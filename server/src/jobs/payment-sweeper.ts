import { type Poller, startPoller } from '../kit/poller.ts'
import { processWebhookEvents } from '../payments/webhooks/webhook-events.ts'
import type { PaymentsDeps } from '../payments/payments-deps.ts'
import { sweepAttempts } from '../payments/engine/sweep.ts'

/** Processes webhook events and payments of unknown outcome until it is stopped. */
export const startPaymentSweeper = (deps: PaymentsDeps): Poller =>
  startPoller({
    intervalMs: 5_000,
    run: async (signal) => {
      await processWebhookEvents(deps, signal)
      await sweepAttempts(deps, signal)
    },
    onError: (error) => deps.log.error({ err: error }, 'the payment sweep failed'),
  })
