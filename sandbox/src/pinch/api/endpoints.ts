import { payerEndpoints } from '../payers/payer-endpoints.ts'
import { paymentEndpoints } from '../payments/payment-endpoints.ts'
import { refundEndpoints } from '../payments/refund-endpoints.ts'
import { tokenEndpoints } from '../tokens/token-endpoints.ts'
import { webhookEndpoints } from '../webhooks/webhook-endpoints.ts'
import { type Endpoint, okResponse } from './endpoint.ts'

const healthEndpoints: readonly Endpoint[] = [{ method: 'GET', path: '/health/auth', operation: 'account', handle: () => okResponse('') }]

/** Every call that the sandbox's Pinch supports. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...healthEndpoints,
  ...tokenEndpoints,
  ...payerEndpoints,
  ...paymentEndpoints,
  ...refundEndpoints,
  ...webhookEndpoints,
]
