import { EMAIL_PATTERN } from '@counterfoil/contract/sign-in'
import { holdsCardNumber } from '../kit/card-number.ts'
import { invalid } from '../kit/refusal.ts'
import type { NewCard } from './providers/provider.ts'

/** What a form says of a card that is not stored. */
interface CardForm {
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
  readonly cardNumber?: string
  readonly expirationDate?: string
  readonly cardCode?: string
  readonly cvc?: string
}

export const MISPLACED = 'This looks like a card number. Please type it in the field for the card only.'

const ADDRESS_LINES = ['address', 'city', 'state', 'zip', 'country'] as const

/**
 * A new card from a form whose provider's script has made a token of it.
 * @throws Refusal 400 for what is missing, and for a card's number or code: they have no business here
 */
export const newCardOf = (form: CardForm, needs: { needsHolder: boolean; needsAddress: boolean }): NewCard => {
  const { cardToken, cardHolder, email, billingAddress } = form
  for (const field of ['cardNumber', 'expirationDate', 'cardCode', 'cvc'] as const)
    if (form[field] !== undefined && form[field] !== '')
      throw invalid(`body.${field}`, 'Send the token of the card, not its number or code.')
  if (holdsCardNumber(cardToken ?? '')) throw invalid('body.cardToken', 'Send the token of the card, not its number or code.')
  if (cardToken === undefined || cardToken === '') throw invalid('body.cardToken', 'Choose a payment method.')
  const holder = cardHolder?.trim() ?? ''
  if (holdsCardNumber(holder)) throw invalid('body.cardHolder', MISPLACED)
  for (const line of ADDRESS_LINES)
    if (holdsCardNumber(billingAddress?.[line] ?? '')) throw invalid(`body.billingAddress.${line}`, MISPLACED)
  if (needs.needsHolder && holder === '') throw invalid('body.cardHolder', 'Enter the name on the card.')
  for (const line of ADDRESS_LINES)
    if (needs.needsAddress && (billingAddress?.[line] ?? '').trim() === '')
      throw invalid(`body.billingAddress.${line}`, 'Enter the whole billing address.')
  return {
    token: cardToken,
    ...(holder === '' ? {} : { holder }),
    ...(email === undefined || email === '' ? {} : { email }),
    ...(billingAddress === undefined ? {} : addressOf(billingAddress)),
  }
}

const addressOf = ({ address, city, state, zip, country }: NonNullable<CardForm['billingAddress']>): Pick<NewCard, 'address'> => {
  const lines = { line1: address, city, state, postalCode: zip, country }
  const given = Object.fromEntries(Object.entries(lines).filter(([, line]) => line !== undefined && line.trim() !== ''))
  return Object.keys(given).length === 0 ? {} : { address: given }
}

const EMAIL = new RegExp(EMAIL_PATTERN)

/** Where a receipt goes; null for nowhere. @throws Refusal 400 for what is no address */
export const emailOf = (email: string | undefined): string | null => {
  if (email === undefined || email === '') return null
  if (holdsCardNumber(email)) throw invalid('body.email', MISPLACED)
  if (!EMAIL.test(email)) throw invalid('body.email', 'Enter an email address such as name@example.com.')
  return email
}
