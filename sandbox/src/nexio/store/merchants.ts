import { merchantNotEnabled, validationError } from '../api/nexio-error.ts'
import { type Fields, textField } from '../api/fields.ts'

const DEFAULT_MERCHANT = '100039'
const SECOND_MERCHANT = '314467'

/** The merchants of an account: one, or two when its user name contains `merchants`. */
export const merchantsOf = (account: string): readonly string[] =>
  account.includes('merchants') ? [DEFAULT_MERCHANT, SECOND_MERCHANT] : [DEFAULT_MERCHANT]

/**
 * The merchant that a request is for; without `merchantId` the account's only one.
 * @throws NexioError when the account does not have it, or has two and none is named
 */
export const merchantOf = (account: string, request: Fields): string => {
  const merchants = merchantsOf(account)
  const merchantId = textField(request, 'merchantId')
  if (merchantId === undefined && merchants.length > 1) throw validationError('"merchantId" is required')
  if (merchantId !== undefined && !merchants.includes(merchantId)) throw merchantNotEnabled()
  return merchantId ?? DEFAULT_MERCHANT
}
