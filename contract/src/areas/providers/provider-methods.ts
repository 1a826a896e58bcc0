import { authorizeMethods } from './authorize.ts'
import { monerisMethods } from './moneris.ts'

/** The paths for stored methods that providers have for themselves. */
export const providerMethods = { ...authorizeMethods, ...monerisMethods }
