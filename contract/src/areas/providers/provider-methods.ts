import { authorizeMethods } from './authorize.ts'

/** The paths for stored methods that providers have for themselves. */
export const providerMethods = { ...authorizeMethods }
