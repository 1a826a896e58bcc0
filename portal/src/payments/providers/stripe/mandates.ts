/** What the owner of an Australian account agrees to by ticking. */
export const BECS_MANDATE = (company: string): string =>
  `By providing your bank account details, you agree to this Direct Debit Request and the Direct Debit Request service agreement, and authorise Stripe Payments Australia Pty Ltd ACN 160 180 343 Direct Debit User ID number 507156 (“Stripe”) to debit your account through the Bulk Electronic Clearing System (BECS) on behalf of ${company} for any amounts separately communicated to you. You certify that you are either an account holder or an authorised signatory on the account listed above.`

/** What the owner of a European account agrees to by ticking. */
export const SEPA_MANDATE = (company: string): string =>
  `By providing your IBAN and confirming this payment method, you authorise ${company} and Stripe, our payment service provider, to send instructions to your bank to debit your account, and your bank to debit your account in accordance with those instructions. You are entitled to a refund from your bank under the terms and conditions of your agreement with it. A refund must be claimed within 8 weeks starting from the date on which your account was debited.`
