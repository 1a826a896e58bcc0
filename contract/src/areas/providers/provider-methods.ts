import { authorizeMethods } from './authorize.ts'
import { bpointMethods } from './bpoint.ts'
import { ippayMethods } from './ippay.ts'
import { monerisMethods } from './moneris.ts'
import { nexioMethods } from './nexio.ts'

/** The paths for stored methods that providers have for themselves. */
export const providerMethods = { ...authorizeMethods, ...bpointMethods, ...ippayMethods, ...monerisMethods, ...nexioMethods }
