import type { Keys } from '../kit/keys.ts'

/** The token of an invoice's payment link. It follows from the master key and the invoice's ids; the database holds its hash alone (0095). */
export const payToken = (keys: Keys, customerId: number, invoiceId: number): string =>
  keys.mac('pay-token', String(customerId), String(invoiceId)).toString('base64url')
