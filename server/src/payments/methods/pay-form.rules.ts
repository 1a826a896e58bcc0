import { EMAIL_PATTERN } from '@counterfoil/contract/sign-in'
import { holdsCardNumber } from '../../kit/card-number.ts'
import { invalidInput } from '../../kit/api-error.ts'
import type { NewCard } from '../providers/provider.ts'
import { nameOfRawCard, RAW_CARD_FIELDS, rawCardOf, type RawCardForm } from './raw-card.rules.ts'

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
interface Needs {
  readonly needsHolder: boolean
  readonly needsAddress: boolean
  /** May the card come as it was typed (Account.takesRawCards)? */
  readonly takesRawCards: boolean
  readonly now: Date
}

export const MISPLACED = 'This looks like a card number. Please type it in the field for the card only.'

const ADDRESS_LINES = ['address', 'city', 'state', 'zip', 'country'] as const

/**
 * A new card from a form: a token that its company's script has made of it, or the card as it was typed where that may come here.
 * @throws Refusal 400 for what is missing or cannot be right, and for a card's number or code where they have no business
 */
export const newCardOf = (form: CardForm, needs: Needs): NewCard => {
  const { cardHolder, email, billingAddress } = form
  const what = isRaw(form) && needs.takesRawCards ? { raw: rawCardOf(form, needs.now) } : { token: tokenOf(form) }
  const holder = cardHolder?.trim() ?? ''
  if (holdsCardNumber(holder)) throw invalidInput('body.cardHolder', MISPLACED)
  for (const line of ADDRESS_LINES)
    if (holdsCardNumber(billingAddress?.[line] ?? '')) throw invalidInput(`body.billingAddress.${line}`, MISPLACED)
  if (needs.needsHolder && holder === '') throw invalidInput('body.cardHolder', 'Enter the name on the card.')
  for (const line of ADDRESS_LINES)
    if (needs.needsAddress && (billingAddress?.[line] ?? '').trim() === '')
      throw invalidInput(`body.billingAddress.${line}`, 'Enter the whole billing address.')
  return {
    ...what,
    ...(holder === '' ? {} : { holder }),
    ...(email === undefined || email === '' ? {} : { email }),
    ...(billingAddress === undefined ? {} : addressOf(billingAddress)),
  }
}

const isRaw = (form: CardForm): boolean => (form.cardToken ?? '') === '' && RAW_CARD_FIELDS.some((field) => (form[field] ?? '') !== '')

/** @throws Refusal 400 for a card's number, end or code: they have no business here */
export const refuseRaw = (form: RawCardForm): void => {
  for (const field of RAW_CARD_FIELDS)
    if ((form[field] ?? '') !== '') throw invalidInput(`body.${field}`, 'Send the token of the card, not its number or code.')
}

const tokenOf = (form: CardForm): string => {
  const { cardToken = '' } = form
  refuseRaw(form)
  if (holdsCardNumber(cardToken)) throw invalidInput('body.cardToken', 'Send the token of the card, not its number or code.')
  if (cardToken === '') throw invalidInput('body.cardToken', 'Choose a payment method.')
  return cardToken
}

/** What tells a form's card from another one (payments/submission). */
export const cardNameOf = (form: CardForm): string => (isRaw(form) ? nameOfRawCard(form) : (form.cardToken ?? ''))

const addressOf = ({ address, city, state, zip, country }: NonNullable<CardForm['billingAddress']>): Pick<NewCard, 'address'> => {
  const lines = { line1: address, city, state, postalCode: zip, country }
  const given = Object.fromEntries(Object.entries(lines).filter(([, line]) => line !== undefined && line.trim() !== ''))
  return Object.keys(given).length === 0 ? {} : { address: given }
}

const EMAIL = new RegExp(EMAIL_PATTERN)

/** Where a receipt goes; null for nowhere. @throws Refusal 400 for what is no address */
export const emailOf = (email: string | undefined): string | null => {
  if (email === undefined || email === '') return null
  if (holdsCardNumber(email)) throw invalidInput('body.email', MISPLACED)
  if (!EMAIL.test(email)) throw invalidInput('body.email', 'Enter an email address such as name@example.com.')
  return email
}
