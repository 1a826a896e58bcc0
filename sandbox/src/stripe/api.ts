import { accountEndpoints } from './account-endpoint.ts'
import { balanceEndpoints } from './balance.ts'
import { chargeEndpoints } from './charges.ts'
import { checkoutEndpoints } from './checkout-sessions.ts'
import { customerEndpoints } from './customers.ts'
import { disputeEndpoints } from './disputes.ts'
import type { Endpoint } from './endpoint.ts'
import { eventEndpoints } from './events.ts'
import { mandateEndpoints } from './mandates.ts'
import { paymentIntentEndpoints } from './payment-intent-endpoints.ts'
import { paymentMethodEndpoints } from './payment-method-endpoints.ts'
import { refundEndpoints } from './refunds.ts'
import { setupIntentEndpoints } from './setup-intent-endpoints.ts'
import { tokenEndpoints } from './tokens.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

/** Every call of Stripe's API that the stand-in answers. */
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
