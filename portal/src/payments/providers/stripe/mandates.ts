import { isEmail } from '../../../ui/form/is-email.ts'
import { neededField } from '../../checkout/needed-field.ts'

/** Of the account holder's name (PM-15). */
export const MIN_NAME_LENGTH = 4

interface Mandate {
  readonly name: string
  readonly email: string
  readonly hasAgreed: boolean
}

/**
 * What is still needed to save a bank account, in words and in the order of the form: a name of four letters, an email address, the account
 * and a ticked mandate (PM-15).
 * @param account what its field takes, where that is not complete
 */
export const missingForMandate = ({ name, email, hasAgreed }: Mandate, account: readonly string[]): readonly string[] =>
  [
    name.trim().length < MIN_NAME_LENGTH && 'account holder name',
    neededField('email', email, isEmail(email)),
    ...account,
    !hasAgreed && 'your agreement',
  ].filter((part) => part !== false)

/** The mandate of an Australian bank account. */
export const becsMandateText = (legalName: string): string =>
  `By providing your bank account details, you agree to this Direct Debit Request and the Direct Debit Request service agreement, and authorise Stripe Payments Australia Pty Ltd ACN 160 180 343 Direct Debit User ID number 507156 (“Stripe”) to debit your account through the Bulk Electronic Clearing System (BECS) on behalf of ${legalName} for any amounts separately communicated to you. You certify that you are either an account holder or an authorised signatory on the account listed above.`

/** The mandate of a European bank account. */
export const sepaMandateText = (legalName: string): string =>
  `By providing your IBAN and confirming this payment method, you authorise ${legalName} and Stripe, our payment service provider, to send instructions to your bank to debit your account, and your bank to debit your account in accordance with those instructions. You are entitled to a refund from your bank under the terms and conditions of your agreement with it. A refund must be claimed within 8 weeks starting from the date on which your account was debited.`
