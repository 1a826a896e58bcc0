/** The API's numbers of the payment providers. */
export const PAYMENT_TYPES = {
  none: 0,
  stripe: 1,
  authorize: 2,
  ippay: 4,
  moneris: 5,
  pinch: 6,
  nexio: 8,
  bpoint: 10,
} as const

export type ProviderName = Exclude<keyof typeof PAYMENT_TYPES, 'none'>
export type PaymentType = (typeof PAYMENT_TYPES)[keyof typeof PAYMENT_TYPES]

/** Whether the portal shows the menu entry Payment Types: for every known provider, not for none. */
export const hasPaymentMethods = (paymentType: number): boolean =>
  paymentType !== PAYMENT_TYPES.none && Object.values<number>(PAYMENT_TYPES).includes(paymentType)
