import { createHmac } from 'node:crypto'

/** Signs webhooks of the providers that send any. */
export const WEBHOOK_KEY = 'A1B2C3D4'.repeat(16)

/** A webhook about a payment as a provider signs it: of the payment, or of what comes after it. */
export type SignWebhook = (
  merchantReference: string,
  at: Date,
  secret: string,
  isLaterEvent: boolean,
) => { readonly headers: Record<string, string>; readonly raw: string }

export const signAuthorizeWebhook: SignWebhook = (merchantReference, _at, secret, isLaterEvent) => {
  const payload = { entityName: 'transaction', invoiceNumber: merchantReference }
  const kind = isLaterEvent ? 'refund' : 'authcapture'
  const eventType = `net.authorize.payment.${kind}.created`
  const raw = JSON.stringify({ notificationId: `${kind} of ${merchantReference}`, eventType, payload })
  return { raw, headers: { 'x-anet-signature': `sha512=${createHmac('sha512', secret).update(raw).digest('hex')}` } }
}

export const signNexioWebhook: SignWebhook = (merchantReference, at, secret, isLaterEvent) => {
  const eventType = isLaterEvent ? 'TRANSACTION_RETURNED' : 'TRANSACTION_CAPTURED'
  const raw = JSON.stringify({ eventType, data: { data: { customer: { orderNumber: merchantReference } } } })
  const t = Math.floor(at.getTime() / 1_000)
  const v1 = createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex')
  return { raw, headers: { 'nexio-signature': `t=${t},v1=${v1}` } }
}

export const signBpointWebhook: SignWebhook = (merchantReference) => {
  const data = { merchantReference: merchantReference, responseCode: '0', bankResponseCode: '00' }
  return { raw: JSON.stringify({ type: 'transaction', data }), headers: {} }
}

export const signPinchWebhook: SignWebhook = (merchantReference, at, secret, isLaterEvent) => {
  // The event comes before the answer, so that Pinch's own id is not known.
  const data = { Payment: { Id: `pmt_${merchantReference.slice(0, 8)}`, Nonce: merchantReference } }
  const Type = isLaterEvent ? 'bank-results' : 'realtime-payment'
  const raw = JSON.stringify({ Id: `evt_${Type}_${merchantReference}`, Type, Data: data })
  const t = Math.floor(at.getTime() / 1_000)
  return { raw, headers: { 'pinch-signature': `t=${t},v2=${createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex')}` } }
}
