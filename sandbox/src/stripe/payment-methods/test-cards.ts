import type { Decline } from '../api/stripe-error.ts'

/** When a card requires 3-D Secure. */
type Authentication = 'never' | 'unless-set-up' | 'on-session' | 'always'

/** How a test card behaves. */
export interface TestCard {
  readonly number: string
  readonly brand: 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay'
  readonly funding: 'credit' | 'debit' | 'prepaid'
  readonly authentication: Authentication
  /** Why a charge is declined. */
  readonly decline?: Decline
  /** Saving the card is declined too; otherwise only its charges are. */
  readonly declinesSetup?: boolean
  /** The customer disputes each charge. */
  readonly isDisputed?: boolean
  readonly failedChecks: readonly ('cvc_check' | 'address_line1_check' | 'address_postal_code_check')[]
}

/** A test card, which succeeds unless `behaviour` says otherwise. */
const card = (number: string, behaviour: Partial<TestCard> = {}): TestCard => ({
  number,
  brand: 'visa',
  funding: 'credit',
  authentication: 'never',
  failedChecks: [],
  ...behaviour,
})

const DECLINED_MESSAGE = 'Your card was declined.'

/** A decline by the bank with its decline code; nothing is thrown. */
export const cardDecline = (decline_code: string, message = DECLINED_MESSAGE): Decline => ({ code: 'card_declined', decline_code, message })

/** A test card whose charges and whose saving are declined. */
const decliningCard = (number: string, decline: Decline): TestCard => card(number, { decline, declinesSetup: true })

const TEST_CARDS: readonly TestCard[] = [
  card('4242424242424242'),
  card('4111111111111111'),
  card('4012888888881881'),
  card('4000056655665556', { funding: 'debit' }),
  card('5555555555554444', { brand: 'mastercard' }),
  card('2223003122003222', { brand: 'mastercard' }),
  card('5200828282828210', { brand: 'mastercard', funding: 'debit' }),
  card('5105105105105100', { brand: 'mastercard', funding: 'prepaid' }),
  card('378282246310005', { brand: 'amex' }),
  card('371449635398431', { brand: 'amex' }),
  card('6011111111111117', { brand: 'discover' }),
  card('6011000990139424', { brand: 'discover' }),
  card('3056930009020004', { brand: 'diners' }),
  card('36227206271667', { brand: 'diners' }),
  card('3566002020360505', { brand: 'jcb' }),
  card('6200000000000005', { brand: 'unionpay' }),
  decliningCard('4000000000000002', cardDecline('generic_decline')),
  decliningCard('4000000000009995', cardDecline('insufficient_funds', 'Your card has insufficient funds.')),
  decliningCard('4000000000009987', cardDecline('lost_card')),
  decliningCard('4000000000009979', cardDecline('stolen_card')),
  decliningCard('4100000000000019', cardDecline('fraudulent')),
  decliningCard('4000000000006975', cardDecline('card_velocity_exceeded')),
  decliningCard('4000000000000069', { code: 'expired_card', message: 'Your card has expired.', param: 'exp_month' }),
  decliningCard('4000000000000127', { code: 'incorrect_cvc', message: "Your card's security code is incorrect.", param: 'cvc' }),
  decliningCard('4000000000000119', {
    code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  }),
  card('4000000000000341', { decline: cardDecline('generic_decline') }),
  card('4000000000000259', { isDisputed: true }),
  card('4000000000000101', { failedChecks: ['cvc_check'] }),
  card('4000000000000010', { failedChecks: ['address_line1_check', 'address_postal_code_check'] }),
  card('4000000000000028', { failedChecks: ['address_line1_check'] }),
  card('4000000000000036', { failedChecks: ['address_postal_code_check'] }),
  card('4000002500003155', { authentication: 'unless-set-up' }),
  card('4000002760003184', { authentication: 'always' }),
  card('4000000000003220', { authentication: 'always' }),
  card('4000000000003063', { authentication: 'always' }),
  card('4000003800000446', { authentication: 'on-session' }),
  card('4000008260003178', { authentication: 'always', decline: cardDecline('insufficient_funds', 'Your card has insufficient funds.') }),
]

const CARDS_BY_NUMBER = new Map(TEST_CARDS.map((one) => [one.number, one]))

/** The test card of that number; undefined when it is not one of Stripe's test numbers. */
export const testCard = (number: string): TestCard | undefined => CARDS_BY_NUMBER.get(number)

/** Stripe's predefined card methods and their numbers. */
export const PRESET_CARDS: Readonly<Record<string, string>> = {
  pm_card_visa: '4242424242424242',
  pm_card_visa_debit: '4000056655665556',
  pm_card_mastercard: '5555555555554444',
  pm_card_mastercard_debit: '5200828282828210',
  pm_card_mastercard_prepaid: '5105105105105100',
  pm_card_amex: '378282246310005',
  pm_card_discover: '6011111111111117',
  pm_card_diners: '3056930009020004',
  pm_card_jcb: '3566002020360505',
  pm_card_unionpay: '6200000000000005',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_visa_chargeDeclinedLostCard: '4000000000009987',
  pm_card_visa_chargeDeclinedStolenCard: '4000000000009979',
  pm_card_chargeDeclinedFraudulent: '4100000000000019',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_chargeDeclinedIncorrectCvc: '4000000000000127',
  pm_card_chargeDeclinedProcessingError: '4000000000000119',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_createDispute: '4000000000000259',
  pm_card_cvcCheckFail: '4000000000000101',
  pm_card_avsFail: '4000000000000010',
  pm_card_avsLine1Fail: '4000000000000028',
  pm_card_avsZipFail: '4000000000000036',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_threeDSecure2Required: '4000000000003220',
  pm_card_threeDSecureRequired: '4000000000003063',
  pm_card_authenticationRequiredSetupForOffSession: '4000003800000446',
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: '4000008260003178',
}
