import { PAYMENT_TYPES, type ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import type { ProviderPanel } from './panel.ts'

/** Every payment provider of the contract. It does not compile while one is missing. */
const PANELS = {
  stripe: {
    loadMethodLists: () => import('./stripe/method-lists.ts'),
    loadSavedMethods: () => import('./stripe/saved-methods.ts'),
    loadCardEntry: () => import('./stripe/card-entry.tsx'),
    paysSeveralWithNewCard: true,
  },
  authorize: {
    loadMethodLists: () => import('./authorize/method-lists.ts'),
    loadSavedMethods: () => import('./authorize/saved-methods.ts'),
    loadCardEntry: () => import('./authorize/card-entry.tsx'),
  },
  ippay: {
    loadMethodLists: () => import('./ippay/method-lists.ts'),
    loadSavedMethods: () => import('./ippay/saved-methods.ts'),
    loadFrame: () => import('./ippay/payment-frame.tsx'),
    storesAccountsAsCards: true,
  },
  moneris: {
    loadMethodLists: () => import('./moneris/method-lists.ts'),
    loadSavedMethods: () => import('./moneris/saved-methods.ts'),
    loadCardEntry: () => import('./moneris/card-entry.tsx'),
  },
  pinch: {
    loadMethodLists: () => import('./pinch/method-lists.ts'),
    loadSavedMethods: () => import('./pinch/saved-methods.ts'),
    loadCardEntry: () => import('./pinch/card-entry.tsx'),
  },
  nexio: {
    loadMethodLists: () => import('./nexio/method-lists.ts'),
    loadSavedMethods: () => import('./nexio/saved-methods.ts'),
    loadCardEntry: () => import('./nexio/card-entry.tsx'),
  },
  bpoint: {
    loadMethodLists: () => import('./bpoint/method-lists.ts'),
    loadSavedMethods: () => import('./bpoint/saved-methods.ts'),
    loadCardEntry: () => import('./bpoint/card-entry.tsx'),
    paysByCardToken: true,
  },
} as const satisfies Record<ProviderName, ProviderPanel>

const PANELS_BY_TYPE: ReadonlyMap<number, ProviderPanel> = new Map(
  Object.entries(PANELS).map(([name, panel]) => [PAYMENT_TYPES[name as ProviderName], panel]),
)

/** The panel of a payment type; null for type 0. */
export const panelOf = (paymentType: number): ProviderPanel | null => PANELS_BY_TYPE.get(paymentType) ?? null
