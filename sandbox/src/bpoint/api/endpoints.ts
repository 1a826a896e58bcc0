import { tokenKeyEndpoints } from '../authkeys/token-key-endpoints.ts'
import { txnKeyEndpoints } from '../authkeys/txn-key-endpoints.ts'
import { tokenEndpoints } from '../payment-methods/token-endpoints.ts'
import { txnEndpoints } from '../transactions/txn-endpoints.ts'
import type { Endpoint } from './endpoint.ts'

/** Every call that the sandbox's BPOINT supports. */
export const ENDPOINTS: readonly Endpoint[] = [...txnKeyEndpoints, ...tokenKeyEndpoints, ...tokenEndpoints, ...txnEndpoints]
