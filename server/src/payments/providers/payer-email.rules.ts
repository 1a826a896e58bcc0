import { EMAIL_PATTERN } from '@counterfoil/contract/sign-in'
import { invalidInput } from '../../kit/api-error.ts'
import { hasCardNumber } from '../../kit/card-number.ts'

export const MISPLACED_NUMBER_TEXT = 'This looks like a card number. Please type it in the field for the card only.'

const EMAIL_REGEX = new RegExp(EMAIL_PATTERN)

/**
 * The address for the receipt; null where it is undefined or empty.
 * @throws ApiError 400 for an invalid address, or one that contains a card number
 */
export const parseReceiptEmail = (email: string | undefined): string | null => {
  if (email === undefined || email === '') return null
  if (hasCardNumber(email)) throw invalidInput('body.email', MISPLACED_NUMBER_TEXT)
  if (!EMAIL_REGEX.test(email)) throw invalidInput('body.email', 'Enter an email address such as name@example.com.')
  return email
}

/**
 * The payer's email address without blanks around it, for a provider that needs one.
 * @throws ApiError 400 where it is missing or invalid, or contains a card number
 */
export const requireEmail = (typed: string | undefined): string => {
  const email = parseReceiptEmail(typed?.trim())
  if (email === null) throw invalidInput('body.email', 'Enter your email address.')
  return email
}
