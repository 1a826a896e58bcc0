import { isEmail } from '../../../ui/form/is-email.ts'

const MIN_NAME_LENGTH = 4

/** True when a bank account can be saved: a name of four letters, an email address and a ticked mandate (PM-15). */
export const canGiveMandate = ({ name, email, hasAgreed }: { name: string; email: string; hasAgreed: boolean }): boolean =>
  name.trim().length >= MIN_NAME_LENGTH && isEmail(email) && hasAgreed

/** The mandate of an Australian bank account. */
export const becsMandateText = (legalName: string): string =>
  `By providing your bank account details, you agree to this Direct Debit Request and the Direct Debit Request service agreement, and authorise Stripe Payments Australia Pty Ltd ACN 160 180 343 Direct Debit User ID number 507156 (“Stripe”) to debit your account through the Bulk Electronic Clearing System (BECS) on behalf of ${legalName} for any amounts separately communicated to you. You certify that you are either an account holder or an authorised signatory on the account listed above.`

/** The mandate of a European bank account. */
export const sepaMandateText = (legalName: string): string =>
  `By providing your IBAN and confirming this payment method, you authorise ${legalName} and Stripe, our payment service provider, to send instructions to your bank to debit your account, and your bank to debit your account in accordance with those instructions. You are entitled to a refund from your bank under the terms and conditions of your agreement with it. A refund must be claimed within 8 weeks starting from the date on which your account was debited.`
