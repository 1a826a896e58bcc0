import { nexioMethods } from './nexio.ts'

/** The paths for stored methods that providers have for themselves. */
export const providerMethods = { ...nexioMethods }
