import { Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import type { AccountCheck } from '../account.ts'
import { type AuthorizeContext, describeError, queryAuthorize, RejectedRequest } from './authorize-client.ts'
import { listUnsettled } from './authorize-lists.ts'

const CLIENT_KEY_TTL_MS = 3_600_000

const WireMerchant = Type.Object({
  isTestMode: Type.Optional(Type.Boolean()),
  merchantName: Type.Optional(Type.String()),
  gatewayId: Type.Optional(Type.String()),
  publicClientKey: Type.Optional(Type.String()),
})

/**
 * Asks Authorize.net for the merchant account of the credentials, which moves nothing.
 * @throws Error when the credentials are refused, no answer arrives or its format is unknown
 */
const readMerchant = async (context: AuthorizeContext) => {
  const merchant = await queryAuthorize(context, 'getMerchantDetailsRequest', {})
  if (!matchesSchema(WireMerchant, merchant)) throw new Error('authorize answered in an unknown format')
  return merchant
}

/**
 * The account of the credentials. `canCharge` is false for an account in test mode.
 * @throws Error with a sentence for operators when the credentials are refused, or the account does not let its transactions be read
 */
export const checkAuthorizeAccount = async (context: AuthorizeContext): Promise<AccountCheck> => {
  try {
    const { isTestMode = false, merchantName, gatewayId } = await readMerchant(context)
    await listUnsettled(context).next()
    return { account: gatewayId ?? merchantName ?? context.settings.loginId, canCharge: !isTestMode, country: null }
  } catch (error) {
    throw new Error(toSentence(error), { cause: error })
  }
}

/** The sentence for operators on why an account could not be checked. */
const toSentence = (error: unknown): string => {
  if (!(error instanceof RejectedRequest)) return `Authorize.net cannot be asked: ${describeError(error)}.`
  if (error.code === 'E00011')
    return 'Authorize.net does not let the account’s transactions be read. Enable the Transaction Details API in its settings.'
  return `Authorize.net refuses the API login id or the transaction key (${error.code}).`
}

/**
 * The fields that Accept.js needs in the browser: the login id and a public key, neither secret. A key that is not in the settings is asked
 * of Authorize.net and cached.
 * @throws Error when Authorize.net has no key
 */
export const createCardForm = async (context: AuthorizeContext) => {
  const { loginId, clientKey } = context.settings
  const loadKey = async (): Promise<string> => {
    const { publicClientKey = '' } = await readMerchant(context)
    if (publicClientKey === '') throw new Error('authorize has no public client key for this account')
    return publicClientKey
  }
  const key = clientKey ?? (await context.cache.remember('authorize client key', CLIENT_KEY_TTL_MS, loadKey))
  return { fields: { apiLoginID: loginId, clientKey: key }, entryReference: null }
}
