import { GatewayError } from '../api/receipt.ts'
import type { Texts, TransactionCall } from '../api/transaction.ts'
import type { ReceiptFields } from '../api/xml.ts'
import type { Card } from '../payments/cards.ts'
import type { MonerisSession } from '../store/moneris-session.ts'
import { type Profile, resolveData } from './profile.ts'
import { findToken } from './temporary-tokens.ts'

/** The card that a transaction uses, and what the receipt says about its place in the vault. */
export interface CardSource {
  readonly card: Card
  /** The receipt's fields, empty for a card whose number was sent. */
  readonly fields: ReceiptFields
  /** The result of a security code that was typed when a token was made. */
  readonly cvd: string | null
  /** The stored address. */
  readonly address?: Texts
  /** The temporary token, which a purchase uses up. */
  readonly tokenId?: string
}

const INVALID_KEY_MESSAGE = 'Invalid data_key parameter'

/** The stored card of the data key. @throws GatewayError when the store has no such card */
export const getProfile = (session: MonerisSession, { data_key = '' }: Texts): Profile => {
  const profile = session.find<Profile>('profile', data_key)
  if (profile === undefined) throw new GatewayError(INVALID_KEY_MESSAGE)
  return profile
}

/** The stored card or the temporary token of that data key. @throws GatewayError when there is none, or no expiry date is known */
export const getCardSource = ({ session, fields, blocks }: TransactionCall): CardSource => {
  const { data_key = '', expdate, crypt_type = '7' } = fields
  const token = findToken(session, data_key)
  if (token === undefined) {
    const profile = getProfile(session, fields)
    const card = { ...profile.card, ...(expdate === undefined ? {} : { expdate }) }
    return { card, fields: vaultFields(data_key, profile), cvd: null, ...addressOf(profile) }
  }
  const card = { pan: token.pan, expdate: expdate ?? token.expdate ?? '' }
  if (card.expdate === '') throw new GatewayError('Invalid expiry date')
  const shown = vaultFields(data_key, { card, cryptType: crypt_type, texts: {} })
  return { card, fields: shown, cvd: blocks.cvd_info === undefined ? token.cvd : null, tokenId: data_key }
}

/** The receipt's fields about a card of the vault or of a token, with a masked number. */
const vaultFields = (dataKey: string, profile: Pick<Profile, 'card' | 'cryptType' | 'texts'>): ReceiptFields => ({
  DataKey: dataKey,
  CorporateCard: 'false',
  ResSuccess: 'true',
  PaymentType: 'cc',
  IsVisaDebit: 'false',
  ResolveData: resolveData(profile),
})

/** The address that is stored with a card; empty without a postal code. */
const addressOf = ({ texts }: Profile): Pick<CardSource, 'address'> => (texts.avs_zipcode === undefined ? {} : { address: texts })
