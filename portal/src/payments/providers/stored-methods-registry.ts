import { PAYMENT_TYPES, type ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import type { StoredMethods } from './panel.ts'

/**
 * Every provider's stored methods. They stand apart from the panels, because whoever pays by a link without a session loads none of them.
 * It does not compile while a provider of the contract is missing.
 */
const STORED_METHODS = {
  stripe: {
    loadMethodLists: () => import('./stripe/method-lists.ts'),
    loadSavedMethods: () => import('./stripe/saved-methods.ts'),
  },
  authorize: {
    loadMethodLists: () => import('./authorize/method-lists.ts'),
    loadSavedMethods: () => import('./authorize/saved-methods.ts'),
  },
  ippay: {
    loadMethodLists: () => import('./ippay/method-lists.ts'),
    loadSavedMethods: () => import('./ippay/saved-methods.ts'),
  },
  moneris: {
    loadMethodLists: () => import('./moneris/method-lists.ts'),
    loadSavedMethods: () => import('./moneris/saved-methods.ts'),
  },
  pinch: {
    loadMethodLists: () => import('./pinch/method-lists.ts'),
    loadSavedMethods: () => import('./pinch/saved-methods.ts'),
  },
  nexio: {
    loadMethodLists: () => import('./nexio/method-lists.ts'),
    loadSavedMethods: () => import('./nexio/saved-methods.ts'),
  },
  bpoint: {
    loadMethodLists: () => import('./bpoint/method-lists.ts'),
    loadSavedMethods: () => import('./bpoint/saved-methods.ts'),
  },
} as const satisfies Record<ProviderName, StoredMethods>

const STORED_METHODS_BY_TYPE: ReadonlyMap<number, StoredMethods> = new Map(
  Object.entries(STORED_METHODS).map(([name, methods]) => [PAYMENT_TYPES[name as ProviderName], methods]),
)

/** The stored methods of a payment type; null for type 0, which is no provider, and for an unknown one. */
export const storedMethodsOf = (paymentType: number): StoredMethods | null => STORED_METHODS_BY_TYPE.get(paymentType) ?? null
