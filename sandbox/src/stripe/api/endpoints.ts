import { accountEndpoints } from '../objects/account.ts'
import { balanceEndpoints } from '../objects/balance.ts'
import { chargeEndpoints } from '../objects/charges.ts'
import { checkoutEndpoints } from '../objects/checkout-sessions.ts'
import { customerEndpoints } from '../objects/customers.ts'
import { disputeEndpoints } from '../objects/disputes.ts'
import type { Endpoint } from './endpoint.ts'
import { eventEndpoints } from '../webhooks/events.ts'
import { mandateEndpoints } from '../objects/mandates.ts'
import { paymentIntentEndpoints } from '../objects/payment-intent-endpoints.ts'
import { paymentMethodEndpoints } from '../payment-methods/payment-method-endpoints.ts'
import { refundEndpoints } from '../objects/refunds.ts'
import { setupIntentEndpoints } from '../objects/setup-intent-endpoints.ts'
import { tokenEndpoints } from '../payment-methods/tokens.ts'
import { webhookEndpoints } from '../webhooks/webhook-endpoints.ts'

/** Every call of Stripe's API that the sandbox supports. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...accountEndpoints,
  ...balanceEndpoints,
  ...chargeEndpoints,
  ...checkoutEndpoints,
  ...customerEndpoints,
  ...disputeEndpoints,
  ...eventEndpoints,
  ...mandateEndpoints,
  ...paymentIntentEndpoints,
  ...paymentMethodEndpoints,
  ...refundEndpoints,
  ...setupIntentEndpoints,
  ...tokenEndpoints,
  ...webhookEndpoints,
]
