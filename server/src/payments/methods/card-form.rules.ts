import { EMAIL_PATTERN } from '@counterfoil/contract/sign-in'
import { hasCardNumber } from '../../kit/card-number.ts'
import { invalidInput } from '../../kit/api-error.ts'
import type { NewCard } from '../providers/provider.ts'
import { rawCardFingerprint, RAW_CARD_FIELDS, parseRawCard, type RawCardForm } from './raw-card.rules.ts'

/** What a form says of a card that is not stored. */
interface CardForm extends RawCardForm {
  readonly cardToken?: string
  readonly cardHolder?: string
  readonly email?: string
  readonly billingAddress?: {
    readonly country?: string
    readonly state?: string
    readonly city?: string
    readonly address?: string
    readonly zip?: string
  }
}

/** What the form must say, and of whom. */
interface CardFormRules {
  readonly needsHolder: boolean
  readonly needsAddress: boolean
  /** May the card come as it was typed (Account.takesRawCards)? */
  readonly takesRawCards: boolean
  readonly now: Date
}

export const MISPLACED_NUMBER_TEXT = 'This looks like a card number. Please type it in the field for the card only.'

const ADDRESS_LINES = ['address', 'city', 'state', 'zip', 'country'] as const

/**
 * A new card from a form: a token that its company's script has made of it, or the card as it was typed where that may come here.
 * @throws Refusal 400 for what is missing or cannot be right, and for a card's number or code where they have no business
 */
export const parseNewCard = (form: CardForm, rules: CardFormRules): NewCard => {
  const { cardHolder, email, billingAddress } = form
  const card = hasRawCard(form) && rules.takesRawCards ? { raw: parseRawCard(form, rules.now) } : { token: parseToken(form) }
  const holder = cardHolder?.trim() ?? ''
  if (hasCardNumber(holder)) throw invalidInput('body.cardHolder', MISPLACED_NUMBER_TEXT)
  for (const line of ADDRESS_LINES)
    if (hasCardNumber(billingAddress?.[line] ?? '')) throw invalidInput(`body.billingAddress.${line}`, MISPLACED_NUMBER_TEXT)
  if (rules.needsHolder && holder === '') throw invalidInput('body.cardHolder', 'Enter the name on the card.')
  for (const line of ADDRESS_LINES)
    if (rules.needsAddress && (billingAddress?.[line] ?? '').trim() === '')
      throw invalidInput(`body.billingAddress.${line}`, 'Enter the whole billing address.')
  return {
    ...card,
    ...(holder === '' ? {} : { holder }),
    ...(email === undefined || email === '' ? {} : { email }),
    ...(billingAddress === undefined ? {} : parseAddress(billingAddress)),
  }
}

const hasRawCard = (form: CardForm): boolean => (form.cardToken ?? '') === '' && RAW_CARD_FIELDS.some((field) => (form[field] ?? '') !== '')

/** @throws Refusal 400 for a card's number, end or code: they have no business here */
export const assertNoRawCard = (form: RawCardForm): void => {
  for (const field of RAW_CARD_FIELDS)
    if ((form[field] ?? '') !== '') throw invalidInput(`body.${field}`, 'Send the token of the card, not its number or code.')
}

const parseToken = (form: CardForm): string => {
  const { cardToken = '' } = form
  assertNoRawCard(form)
  if (hasCardNumber(cardToken)) throw invalidInput('body.cardToken', 'Send the token of the card, not its number or code.')
  if (cardToken === '') throw invalidInput('body.cardToken', 'Choose a payment method.')
  return cardToken
}

/** What tells a form's card from another one (payments/submission). */
export const cardFingerprint = (form: CardForm): string => (hasRawCard(form) ? rawCardFingerprint(form) : (form.cardToken ?? ''))

const parseAddress = ({ address, city, state, zip, country }: NonNullable<CardForm['billingAddress']>): Pick<NewCard, 'address'> => {
  const lines = { line1: address, city, state, postalCode: zip, country }
  const filled = Object.fromEntries(Object.entries(lines).filter(([, line]) => line !== undefined && line.trim() !== ''))
  return Object.keys(filled).length === 0 ? {} : { address: filled }
}

const EMAIL_REGEX = new RegExp(EMAIL_PATTERN)

/** Where a receipt goes; null for nowhere. @throws Refusal 400 for what is no address */
export const parseReceiptEmail = (email: string | undefined): string | null => {
  if (email === undefined || email === '') return null
  if (hasCardNumber(email)) throw invalidInput('body.email', MISPLACED_NUMBER_TEXT)
  if (!EMAIL_REGEX.test(email)) throw invalidInput('body.email', 'Enter an email address such as name@example.com.')
  return email
}
