import type { ChargeOrder, IdentifiedOrder, SentOrder } from '../../src/payments/providers/order.ts'

/** An order as it was sent, of which the provider may have given its reference. */
export const sentOrder = (
  { merchantReference, amount, methodType }: ChargeOrder,
  providerRef: string | null = null,
  sentAt: Date | null = null,
): SentOrder => ({
  merchantReference,
  providerRef,
  amount,
  methodType,
  method: null,
  sentAt,
})

/** The same where the provider has given its reference. */
export const identifiedOrder = (order: ChargeOrder, providerRef: string, sentAt: Date | null = null): IdentifiedOrder => ({
  ...sentOrder(order, null, sentAt),
  providerRef,
  refunded: 0n,
})
