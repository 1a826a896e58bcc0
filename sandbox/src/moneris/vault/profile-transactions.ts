import { GatewayError } from '../api/receipt.ts'
import type { Texts, TransactionCall } from '../api/transaction.ts'
import type { ReceiptFields } from '../api/xml.ts'
import { type Card, isTestCard } from '../payments/cards.ts'
import type { Payment } from '../payments/payment.ts'
import { cardMonth } from '../store/gateway-time.ts'
import { randomText } from '../store/random.ts'
import { getCardSource, getProfile } from './card-source.ts'
import { ADDRESS_TEXTS, PROFILE_TEXTS, type Profile, resolveData, vaultReceipt } from './profile.ts'
import { createToken, MAX_TOKEN_SECONDS, useUpToken } from './temporary-tokens.ts'

const DATA_KEY_LENGTH = 25

/** Stores a card whose number was sent. @throws GatewayError when the number is no test card's */
export const addCard = (call: TransactionCall): ReceiptFields => addProfile(call, typedCard(call.fields))

/** Stores the card of a temporary token, and uses the token up. @throws GatewayError when the data key is no token's */
export const addToken = (call: TransactionCall): ReceiptFields => {
  const { card, tokenId } = getCardSource(call)
  if (tokenId === undefined) throw new GatewayError('Invalid data_key parameter')
  useUpToken(call.session, tokenId)
  return addProfile(call, card)
}

/**
 * Stores the card of an approved payment or verification.
 * @throws GatewayError when there is none of this order id and transaction number
 */
export const tokenizePayment = (call: TransactionCall): ReceiptFields => {
  const { session, fields } = call
  const payment = session.find<Payment>('payment', fields['txn_number'] ?? '')
  if (payment === undefined || payment.card === null || payment.orderId !== fields['order_id'])
    throw new GatewayError('No Pre-auth corresponds to the store Id and order Id and transaction Id entered')
  const issuerId = payment.receipt['IssuerId'] ?? null
  const receipt = addProfile(call, payment.card, typeof issuerId === 'string' ? issuerId : null)
  return fields['return_issuer_id'] === 'true' ? { ...receipt, IssuerId: issuerId } : receipt
}

/** Stores a temporary token of a card whose number was sent. @throws GatewayError when the number is no test card's */
export const addTemporaryToken = ({ session, fields }: TransactionCall): ReceiptFields => {
  const card = typedCard(fields)
  const DataKey = createToken(session, { ...card, cvd: null }, Number(fields['duration'] ?? MAX_TOKEN_SECONDS))
  return vaultReceipt(session, 'registered', {
    DataKey,
    ResolveData: resolveData({ card, cryptType: fields['crypt_type'] ?? '7', texts: {} }),
  })
}

/**
 * Changes those fields of a stored card that were sent.
 * @throws GatewayError without such a card, or for a number that is no test card's
 */
export const updateCard = (call: TransactionCall): ReceiptFields => {
  const { session, fields } = call
  const profile = getProfile(session, fields)
  const { pan = profile.card.pan, expdate = profile.card.expdate } = fields
  const updated = session.put<Profile>({
    ...profile,
    card: typedCard({ pan, expdate }),
    cryptType: fields['crypt_type'] ?? profile.cryptType,
    issuerId: call.blocks.cof_info?.['issuer_id'] ?? profile.issuerId,
    texts: { ...profile.texts, ...textsOf(call) },
  })
  return profileReceipt(call, 'updated', updated)
}

/** Removes a stored card. The receipt shows the card once more. */
export const deleteCard = (call: TransactionCall): ReceiptFields => {
  const profile = getProfile(call.session, call.fields)
  call.session.remove(profile.id)
  return profileReceipt(call, 'deleted', profile)
}

/** The receipt with a stored card, its number masked. */
export const lookUpMasked = (call: TransactionCall): ReceiptFields => profileReceipt(call, 'located', getProfile(call.session, call.fields))

/** The receipt with a stored card and its whole number. */
export const lookUpFull = (call: TransactionCall): ReceiptFields => {
  const profile = getProfile(call.session, call.fields)
  return vaultReceipt(call.session, 'located', {
    DataKey: profile.id,
    ResolveData: { ...resolveData(profile), pan: profile.card.pan },
  })
}

/** The receipt with the stored cards that expire this month or next, masked. */
export const listExpiring = ({ session }: TransactionCall): ReceiptFields => {
  const months = new Set([cardMonth(session.now), cardMonth(session.now, 1)])
  const expiring = session.all<Profile>('profile').filter(({ card }) => months.has(card.expdate))
  return vaultReceipt(session, 'located', {
    ResolveData: expiring.map((profile) => ({ data_key: profile.id, payment_type: 'cc', ...resolveData(profile) })),
  })
}

/** The card whose number was sent. @throws GatewayError for a number that might be a real card, which is not stored */
const typedCard = ({ pan = '', expdate = '' }: Texts): Card => {
  if (!isTestCard(pan)) throw new GatewayError('Invalid pan parameter')
  return { pan, expdate }
}

/** Stores a card under a new data key, and returns the receipt. */
const addProfile = (call: TransactionCall, card: Card, issuerId: string | null = null): ReceiptFields =>
  profileReceipt(
    call,
    'registered',
    call.session.put<Profile>({
      id: randomText(DATA_KEY_LENGTH),
      object: 'profile',
      card,
      cryptType: call.fields['crypt_type'] ?? '7',
      issuerId: call.blocks.cof_info?.['issuer_id'] ?? issuerId,
      texts: textsOf(call),
    }),
  )

/** The contact texts and the address that were sent with a card. */
const textsOf = ({ fields, blocks }: TransactionCall): Profile['texts'] => ({
  ...pick(fields, PROFILE_TEXTS),
  ...pick(blocks.avs_info ?? {}, ADDRESS_TEXTS),
})

/** The texts of these names that are present. */
const pick = (texts: Texts, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (texts[name] === undefined ? [] : [[name, texts[name]]])))

/** The receipt of a call that read or changed a stored card, which is shown masked. */
const profileReceipt = ({ session }: TransactionCall, message: string, profile: Profile): ReceiptFields =>
  vaultReceipt(session, message, { DataKey: profile.id, ResolveData: resolveData(profile) })
