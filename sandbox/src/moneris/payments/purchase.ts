import type { Layout } from '../api/receipt.ts'
import type { Texts, TransactionCall } from '../api/transaction.ts'
import type { ReceiptFields } from '../api/xml.ts'
import { randomDigits } from '../store/random.ts'
import { type CardSource, getCardSource } from '../vault/card-source.ts'
import { useUpToken } from '../vault/temporary-tokens.ts'
import { type AddressChecks, checkAddress } from './address-checks.ts'
import { toCents } from './amounts.ts'
import { DECLINED, isApproved, type Outcome, paymentOutcome, verificationOutcome } from './outcomes.ts'
import { assertNewOrder, recordPayment } from './payment.ts'

/** Charges a card whose number was sent. Returns the receipt, also of a decline. */
export const purchase = (call: TransactionCall): ReceiptFields => pay(call, typedCard(call.fields), 'gateway')

/** Charges a card of the vault, or a temporary token, which is used up. Returns the receipt, also of a decline. */
export const purchaseByKey = (call: TransactionCall): ReceiptFields => pay(call, getCardSource(call), 'vault')

/** Verifies a card whose number was sent, without moving money, and records that. Returns the receipt, also of a decline. */
export const verifyCard = (call: TransactionCall): ReceiptFields => verify(call, typedCard(call.fields), 'gateway')

/** Verifies a card of the vault, or a temporary token, which stays usable, and records that. Returns the receipt, also of a decline. */
export const verifyCardByKey = (call: TransactionCall): ReceiptFields => verify(call, getCardSource(call), 'vault')

/** A card whose number was sent, as the source of a payment. */
const typedCard = ({ pan = '', expdate = '' }: Texts): CardSource => ({ card: { pan, expdate }, fields: {}, cvd: null })

/** Charges a card, records the payment, declined or not, and returns the receipt. @throws GatewayError when the order id was used before */
const pay = (call: TransactionCall, source: CardSource, layout: Layout): ReceiptFields => {
  const { session, fields, isDeclined } = call
  const { card } = source
  const [orderId = '', amount] = [fields['order_id'], toCents(fields['amount'] ?? '')]
  assertNewOrder(session, orderId, source.fields)
  if (source.tokenId !== undefined) useUpToken(session, source.tokenId)
  const checks = checkSource(call, source, amount)
  const outcome = isDeclined ? DECLINED : (checks.decline ?? paymentOutcome(card, amount, session.now))
  const results = resultFields(call, source, { checks, outcome, layout })
  return recordPayment(session, { kind: 'purchase', orderId, amount, card, outcome, layout, fields: results }).receipt
}

/** Verifies a card, records that without money, and returns the receipt. @throws GatewayError when the order id was used before */
const verify = (call: TransactionCall, source: CardSource, layout: Layout): ReceiptFields => {
  const { session, fields, isDeclined } = call
  const { card } = source
  const orderId = fields['order_id'] ?? ''
  assertNewOrder(session, orderId, source.fields)
  const checks = checkSource(call, source, 0)
  const outcome = isDeclined ? DECLINED : verificationOutcome(card, session.now)
  const results = resultFields(call, source, { checks, outcome, layout })
  return recordPayment(session, { kind: 'verification', orderId, amount: 0, card, outcome, layout, fields: results }).receipt
}

/** The checks of the sent address, else of the stored one, and of the security code. */
const checkSource = ({ blocks }: TransactionCall, { card, cvd, address }: CardSource, amount: number): AddressChecks => {
  const avs = blocks.avs_info ?? address
  return checkAddress({ blocks: avs === undefined ? blocks : { ...blocks, avs_info: avs } }, card, amount, cvd)
}

interface Results {
  readonly checks: AddressChecks
  readonly outcome: Outcome
  readonly layout: Layout
}

/** The receipt's fields of the vault, of the checks, and of the credential on file. */
const resultFields = ({ blocks }: TransactionCall, source: CardSource, { checks, outcome, layout }: Results): ReceiptFields => {
  const { avs, cvd } = checks
  const credential = blocks.cof_info
  const issuerId = credential !== undefined && isApproved(outcome) ? (credential['issuer_id'] ?? randomDigits(15)) : null
  return {
    ...source.fields,
    AvsResultCode: avs,
    CvdResultCode: cvd === null ? null : `1${cvd}`,
    ...(credential !== undefined || layout === 'vault' ? { IssuerId: issuerId } : {}),
  }
}
