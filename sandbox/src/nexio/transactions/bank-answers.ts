import { type Fields, objectField, textField } from '../api/fields.ts'
import { type CheckResults, type Decline, gatewayDecline } from './decline.ts'

const WRONG_CODE = '999'
const WRONG_POSTAL_CODE = '46282'

/** The last two digits of an amount that is declined. */
const DECLINED_CENTS: Readonly<Record<number, string>> = { 5: 'Do not Honor', 51: 'Insufficient funds', 54: 'Expired card' }
const TIMEOUT_CENTS = 8

interface CheckedCard {
  /** The request's `processingOptions`. */
  readonly options: Fields
  readonly securityCode: string | undefined
  readonly customer: Fields
}

/** The results of the checks of security code and postal code that the options ask for, and the decline of one that failed. */
export const checkCard = ({ options, securityCode, customer }: CheckedCard): { results: CheckResults; decline: Decline | undefined } => {
  const verifiesCode = securityCode !== undefined && options['verifyCvc'] !== false
  const verifiesAddress = ['1', '2', '3'].includes(textField(options, 'verifyAvs') ?? '')
  const matchCvv = securityCode !== WRONG_CODE
  const matchPostal = textField(customer, 'billToPostal') !== WRONG_POSTAL_CODE
  const results = {
    ...(verifiesAddress ? { avsResults: { matchAddress: true, matchPostal } } : {}),
    ...(verifiesCode ? { cvcResults: { matchCvv } } : {}),
  }
  if (verifiesCode && !matchCvv) return { results, decline: { error: 437, message: 'Verify CVC Failed', results } }
  if (verifiesAddress && !matchPostal) return { results, decline: { error: 436, message: 'Verify AVS Failed', results } }
  return { results, decline: undefined }
}

/** The gateway's decline for WRONG_CODE, also when the code was not to be verified; undefined for any other code. */
export const unverifiedCodeDecline = (securityCode: string | undefined): Decline | undefined =>
  securityCode === WRONG_CODE ? gatewayDecline('Declined for CVV failure') : undefined

/** The bank's decline for the last two digits of this amount; undefined for others. */
export const amountDecline = (minor: number): Decline | undefined => {
  const message = DECLINED_CENTS[minor % 100]
  return message === undefined ? undefined : gatewayDecline(message)
}

/** Whether the gateway processes this amount and does not answer in time. */
export const causesTimeout = (minor: number): boolean => minor % 100 === TIMEOUT_CENTS

/** Whether the bank asks for 3-D Secure: the request offers it and the customer's email address contains `3ds`. */
export const asksForAuthentication = (options: Fields, data: Fields): boolean =>
  options['check3ds'] === true && (textField(objectField(data, 'customer'), 'email')?.includes('3ds') ?? false)
