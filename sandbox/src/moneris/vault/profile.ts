import type { ReceiptFields } from '../api/xml.ts'
import { receiptOf } from '../api/receipt.ts'
import type { StoredObject } from '../../kit/object-store.ts'
import { type Card, maskPan } from '../payments/cards.ts'
import { gatewayTime } from '../store/gateway-time.ts'
import type { MonerisSession } from '../store/moneris-session.ts'

/** What may be stored with a card. */
export const PROFILE_TEXTS = ['cust_id', 'phone', 'email', 'note'] as const

export const ADDRESS_TEXTS = ['avs_street_number', 'avs_street_name', 'avs_zipcode'] as const

type ProfileText = (typeof PROFILE_TEXTS)[number] | (typeof ADDRESS_TEXTS)[number]

/** A card in the vault, under its data key. */
export interface Profile extends StoredObject {
  readonly object: 'profile'
  readonly card: Card
  readonly cryptType: string
  readonly issuerId: string | null
  readonly texts: Readonly<Partial<Record<ProfileText, string>>>
}

/** A card as receipts show it, with a masked number and empty elements for what was not stored. */
export const resolveData = ({ card, cryptType, texts }: Pick<Profile, 'card' | 'cryptType' | 'texts'>): ReceiptFields => ({
  ...Object.fromEntries(PROFILE_TEXTS.map((name) => [name, texts[name] ?? ''])),
  expdate: card.expdate,
  masked_pan: maskPan(card.pan),
  crypt_type: cryptType,
  ...Object.fromEntries(ADDRESS_TEXTS.map((name) => [name, texts[name] ?? ''])),
})

/** The receipt of a call that has read or changed the vault successfully. */
export const vaultReceipt = (session: MonerisSession, message: string, fields: ReceiptFields): ReceiptFields =>
  receiptOf('vault', {
    ResponseCode: '001',
    Message: `Successfully ${message} CC details.`,
    ...gatewayTime(session.now),
    Complete: 'true',
    ResSuccess: 'true',
    PaymentType: 'cc',
    ...fields,
  })
