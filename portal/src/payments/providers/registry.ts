import { PAYMENT_TYPES, type ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import type { ProviderPanel } from './panel.ts'

/** Every payment provider of the contract. It does not compile while one is missing. */
const PANELS = {
  stripe: {
    loadCardEntry: () => import('./stripe/card-entry.tsx'),
    paysSeveralWithNewCard: true,
  },
  authorize: {
    loadCardEntry: () => import('./authorize/card-entry.tsx'),
  },
  ippay: {
    loadFrame: () => import('./ippay/payment-frame.tsx'),
    storesAccountsAsCards: true,
  },
  moneris: {
    loadCardEntry: () => import('./moneris/card-entry.tsx'),
  },
  pinch: {
    loadCardEntry: () => import('./pinch/card-entry.tsx'),
  },
  nexio: {
    loadCardEntry: () => import('./nexio/card-entry.tsx'),
  },
  bpoint: {
    loadCardEntry: () => import('./bpoint/card-entry.tsx'),
    paysByCardToken: true,
  },
} as const satisfies Record<ProviderName, ProviderPanel>

const PANELS_BY_TYPE: ReadonlyMap<number, ProviderPanel> = new Map(
  Object.entries(PANELS).map(([name, panel]) => [PAYMENT_TYPES[name as ProviderName], panel]),
)

/** The panel of a payment type; null for type 0, which is no provider, and for an unknown one. */
export const panelOf = (paymentType: number): ProviderPanel | null => PANELS_BY_TYPE.get(paymentType) ?? null
