import { merchantsOf } from '../store/merchants.ts'
import type { Endpoint } from './endpoint.ts'

/** `/user/v3/account/whoAmI` and `/merchant/v3` */
export const accountEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/user/v3/account/whoAmI',
    operation: 'account',
    handle: ({ session }) => {
      const { account } = session
      const merchantIds = Object.fromEntries(merchantsOf(account).map((merchantId) => [merchantId, 'A']))
      return { firstName: 'Sandbox', lastName: 'User', userName: account, enabled: true, accessRights: { merchantIds, role: 'A' } }
    },
  },
  {
    method: 'GET',
    path: '/merchant/v3',
    operation: 'account',
    handle: ({ session }) => ({
      rows: merchantsOf(session.account).map((merchantId) => ({ merchantId, name: `Merchant ${merchantId}`, enabled: true })),
      limit: 10,
      offset: 0,
    }),
  },
]
