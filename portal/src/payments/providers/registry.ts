import { PAYMENT_TYPES } from '@counterfoil/contract/kit/payments/payment-type'
import type { ProviderPanel } from './panel.ts'
import { stripePanel } from './stripe/methods-panel.ts'

const PANELS: Readonly<Partial<Record<number, ProviderPanel>>> = { [PAYMENT_TYPES.stripe]: stripePanel }

/** What the payment company of a type shows; undefined for a type that this portal has no forms for. */
export const panelOf = (paymentType: number): ProviderPanel | undefined => PANELS[paymentType]
