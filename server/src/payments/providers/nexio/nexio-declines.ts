import { Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import { type Decline, type DeclineReason, REJECTION_TEXTS } from '../decline.ts'
import { errorCodeOf, type NexioAnswer } from './nexio-client.ts'

/**
 * Our reasons for Nexio's codes (docs.nexiopay.com, common errors); a gateway's decline (435) is told apart by the bank's words. A code
 * that is missing here, such as 408 (the gateway did not answer in time), leaves open whether money moved.
 */
const DECLINE_REASONS: Readonly<Record<string, DeclineReason>> = {
  '400': 'not_accepted',
  '401': 'not_configured',
  '403': 'not_configured',
  '404': 'method_gone',
  '409': 'not_configured',
  '418': 'not_configured',
  '435': 'card_declined',
  '435 insufficient funds': 'insufficient_funds',
  '435 expired card': 'expired_card',
  '435 declined for cvv failure': 'incorrect_cvc',
  '435 invalid card number': 'invalid_account',
  '435 invalid account number': 'invalid_account',
  '436': 'card_declined',
  '437': 'incorrect_cvc',
}

const TEXTS: Readonly<Record<DeclineReason, string>> = {
  ...REJECTION_TEXTS,
  card_declined: 'The payment was declined. Please use another payment method, or ask your bank.',
  expired_card: 'The card has expired. Please use another card.',
  incorrect_cvc: 'The security code of the card is not right. Please check it.',
  insufficient_funds: 'The account has not enough funds. Please use another payment method.',
  invalid_account: 'This payment method cannot be used any more. Please use another one.',
}

const WRONG_ADDRESS_TEXT = 'The address is not the one that the bank knows. Please check it.'
const GATEWAY_DECLINE = 435
const WRONG_ADDRESS = 436

const WireMessage = Type.Object({ message: Type.String() })

/** The decline that an answer is; undefined for every answer that does not rule out that money moved. */
export const toDecline = ({ status, body }: NexioAnswer): Decline | undefined => {
  if (status < 400 || status >= 500) return undefined
  const code = errorCodeOf(body) ?? (status === 401 || status === 403 ? status : undefined)
  if (code === undefined || DECLINE_REASONS[String(code)] === undefined) return undefined
  return declineOf(code, matchesSchema(WireMessage, body) ? body.message : '')
}

/** Of these answers to a refund nobody knows what was done: the gateway did not answer in time, or there were too many requests. */
const UNDECIDED_REFUND_CODES: ReadonlySet<number> = new Set([408, 425, 429])

/** The refusal of a refund: any error that Nexio answers. Undefined for an answer that leaves open whether the refund was made. */
export const toRefundDecline = (answer: NexioAnswer): Decline | undefined => {
  const { status, body } = answer
  const known = toDecline(answer)
  const code = errorCodeOf(body)
  if (known !== undefined || status < 400 || status >= 500 || code === undefined) return known
  if (UNDECIDED_REFUND_CODES.has(status) || UNDECIDED_REFUND_CODES.has(code)) return undefined
  return declineOf(code, matchesSchema(WireMessage, body) ? body.message : '')
}

/** The decline of a payment that the gateway has refused with these words. */
export const toGatewayDecline = (message: string): Decline => declineOf(GATEWAY_DECLINE, message)

/**
 * The decline of Nexio's code and message: both decide the reason, else the code alone, else it is `card_declined`. The payer is told our
 * words.
 */
const declineOf = (code: number, message: string): Decline => {
  const reason = DECLINE_REASONS[`${code} ${message.toLowerCase()}`] ?? DECLINE_REASONS[String(code)] ?? 'card_declined'
  const providerCode = `${code} ${message}`.trim().slice(0, 100)
  return {
    state: 'declined',
    reason,
    providerCode,
    providerText: message,
    userMessage: code === WRONG_ADDRESS ? WRONG_ADDRESS_TEXT : TEXTS[reason],
  }
}
