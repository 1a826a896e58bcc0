import { hostedEndpoints } from '../pages/hosted-endpoints.ts'
import { chargebackEndpoints } from '../transactions/chargebacks.ts'
import { chargeEndpoints } from '../transactions/charge-endpoints.ts'
import { followUpEndpoints } from '../transactions/follow-up-endpoints.ts'
import { lookupEndpoints } from '../transactions/lookup-endpoints.ts'
import { vaultEndpoints } from '../vault/vault-endpoints.ts'
import { webhookEndpoints } from '../webhooks/webhook-config.ts'
import { accountEndpoints } from './account-endpoints.ts'
import type { Endpoint } from './endpoint.ts'

/** Every call that the sandbox's Nexio supports. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...accountEndpoints,
  ...chargebackEndpoints,
  ...chargeEndpoints,
  ...followUpEndpoints,
  ...hostedEndpoints,
  ...lookupEndpoints,
  ...vaultEndpoints,
  ...webhookEndpoints,
]
