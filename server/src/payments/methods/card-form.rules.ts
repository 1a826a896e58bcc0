import type { BillingAddress } from '@counterfoil/contract/kit/payments/pay-form'
import type { Static } from 'typebox'
import { hasCardNumber } from '../../kit/card-number.ts'
import { invalidInput } from '../../kit/api-error.ts'
import type { Account } from '../accounts/accounts.ts'
import type { TypedMethod, NewCard } from '../providers/method.ts'
import { rawCardFingerprint, RAW_CARD_FIELDS, parseRawCard, parseSealedCard, type RawCardForm } from '../providers/raw-card.rules.ts'
import { MISPLACED_NUMBER_TEXT, requireEmail } from '../providers/payer-email.rules.ts'

/** The fields of a form for a card that is not stored. */
interface CardForm extends RawCardForm {
  readonly cardToken?: string
  readonly cardHolder?: string
  readonly email?: string
  readonly nexioCustomerDetails?: { readonly payerFirstName?: string; readonly payerLastName?: string; readonly email?: string }
  readonly billingAddress?: Static<typeof BillingAddress>
}

/** What the form requires. */
interface CardFormRules {
  readonly needsHolder: boolean
  readonly needsAddress: boolean
  /** What was entered on the provider's own page in a frame; null where the form holds the card. */
  readonly framed?: TypedMethod | null
  /** Whether card numbers are accepted, and whether the browser encrypts them. */
  readonly account: Pick<Account, 'acceptsRawCards' | 'provider'>
  readonly now: Date
}

const ADDRESS_LINES = ['address', 'city', 'state', 'zip', 'country'] as const
const BILLING_LINES = [...ADDRESS_LINES, 'company'] as const

/**
 * Parses a new card from a form: a token made by the provider's script, or the card number where it is accepted. Nothing is sent or stored.
 * @throws ApiError 400 for a missing or invalid field, and for a card number or security code in the wrong place
 */
export const parseNewCard = (form: CardForm, rules: CardFormRules): NewCard => {
  const { cardHolder, email, billingAddress } = form
  const typedMethod = rules.framed ?? parseTypedMethod(form, rules)
  const payer = parsePayer(form)
  const holder = cardHolder?.trim() ?? ''
  if (hasCardNumber(holder)) throw invalidInput('body.cardHolder', MISPLACED_NUMBER_TEXT)
  for (const line of BILLING_LINES)
    if (hasCardNumber(billingAddress?.[line] ?? '')) throw invalidInput(`body.billingAddress.${line}`, MISPLACED_NUMBER_TEXT)
  const needsContact = rules.account.provider.entry.payForm?.needsEmail === true
  if ((rules.needsHolder || needsContact) && holder === '') throw invalidInput('body.cardHolder', 'Enter the name on the card.')
  if (needsContact) requireEmail(email)
  for (const line of ADDRESS_LINES)
    if (rules.needsAddress && (billingAddress?.[line] ?? '').trim() === '')
      throw invalidInput(`body.billingAddress.${line}`, 'Enter the whole billing address.')
  return {
    typedMethod,
    ...(holder === '' ? {} : { holder }),
    ...(email === undefined || email === '' ? {} : { email }),
    ...payer,
    ...(billingAddress === undefined ? {} : parseAddress(billingAddress)),
    ...parseLegalName(billingAddress?.company),
  }
}

/**
 * The token of a form, or the typed or encrypted card where the account accepts card numbers.
 * @throws ApiError 400 at the invalid field
 */
const parseTypedMethod = (form: CardForm, { account, now }: CardFormRules): TypedMethod => {
  if (!hasRawCard(form) || !account.acceptsRawCards) return { kind: 'token', token: parseToken(form) }
  return account.provider.entry.accepts.includes('sealed')
    ? { kind: 'sealed', sealed: parseSealedCard(form, now) }
    : { kind: 'card', card: parseRawCard(form, now) }
}

/**
 * The payer's names and email address that a form sends along, without blanks around them; empty ones are left out.
 * @throws ApiError 400 when one contains a card number
 */
const parsePayer = ({ nexioCustomerDetails }: CardForm): Pick<NewCard, 'payerFirstName' | 'payerLastName' | 'email'> => {
  if (hasCardNumber(JSON.stringify(nexioCustomerDetails ?? {}))) throw invalidInput('body.nexioCustomerDetails', MISPLACED_NUMBER_TEXT)
  const filled = Object.entries(nexioCustomerDetails ?? {}).map(([name, text]) => [name, text.trim()] as const)
  return Object.fromEntries(filled.filter(([, text]) => text !== ''))
}

/** Whether a form has fields of a card, typed or encrypted, and no token. */
const hasRawCard = (form: CardForm): boolean => (form.cardToken ?? '') === '' && RAW_CARD_FIELDS.some((field) => (form[field] ?? '') !== '')

/**
 * Rejects a form that has a card number, expiry date or security code.
 * @throws ApiError 400
 */
export const assertNoRawCard = (form: RawCardForm): void => {
  for (const field of RAW_CARD_FIELDS)
    if ((form[field] ?? '') !== '') throw invalidInput(`body.${field}`, 'Send the token of the card, not its number or code.')
}

/**
 * The token of a form.
 * @throws ApiError 400 without one, or with a card number in its place or beside it
 */
const parseToken = (form: CardForm): string => {
  const { cardToken = '' } = form
  assertNoRawCard(form)
  if (hasCardNumber(cardToken)) throw invalidInput('body.cardToken', 'Send the token of the card, not its number or code.')
  if (cardToken === '') throw invalidInput('body.cardToken', 'Choose a payment method.')
  return cardToken
}

/** A text that tells the card of a form from another one without being secret: its token, or last digits and expiry (see submission.ts). */
export const cardFingerprint = (form: CardForm): string => (hasRawCard(form) ? rawCardFingerprint(form) : (form.cardToken ?? ''))

/** The filled lines of a billing address; no address when all are blank. */
const parseAddress = ({ address, city, state, zip, country }: NonNullable<CardForm['billingAddress']>): Pick<NewCard, 'address'> => {
  const lines = { line1: address, city, state, postalCode: zip, country }
  const filled = Object.fromEntries(Object.entries(lines).filter(([, line]) => line !== undefined && line.trim() !== ''))
  return Object.keys(filled).length === 0 ? {} : { address: filled }
}

/** A company name as the legal name, without blanks around it; no field for a blank one. */
const parseLegalName = (typed = ''): Pick<NewCard, 'legalName'> => (typed.trim() === '' ? {} : { legalName: typed.trim() })
