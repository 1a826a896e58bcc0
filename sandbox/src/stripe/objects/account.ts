import { accountId } from '../api/api-keys.ts'
import type { Endpoint } from '../api/endpoint.ts'

/** `/v1/account` */
export const accountEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/v1/account',
    operation: 'account',
    params: [],
    handle: ({ sandbox }) => ({
      id: accountId(sandbox.context.account),
      object: 'account',
      business_profile: { name: `Sandbox account "${sandbox.context.account}"`, support_email: null, url: null },
      capabilities: {
        au_becs_debit_payments: 'active',
        bacs_debit_payments: 'active',
        card_payments: 'active',
        sepa_debit_payments: 'active',
        us_bank_account_ach_payments: 'active',
      },
      charges_enabled: true,
      country: 'AU',
      default_currency: 'aud',
      details_submitted: true,
      email: 'sandbox@example.com',
      metadata: {},
      payouts_enabled: true,
      settings: { dashboard: { display_name: 'Sandbox', timezone: 'Etc/UTC' } },
      type: 'standard',
    }),
  },
]
