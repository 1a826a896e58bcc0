import { paymentMethods } from '@counterfoil/contract/payment-methods'
import type { RegisterArea, RegisterRoute } from '../../http/request-context.ts'
import { bankMethodOf, cardOf } from './payment-methods.rules.ts'
import {
  addCard,
  checkoutSession,
  confirmSetup,
  type Family,
  listMethods,
  makeDefault,
  type PaymentMethodsDeps,
  removeMethod,
  setupIntent,
  updateCard,
} from './payment-methods.service.ts'

/** The calls of one family of paths; a family lacks what its providers do not do. */
interface Paths {
  readonly of: Family
  readonly cards?: typeof paymentMethods.cards
  readonly addCard?: typeof paymentMethods.addCard
  readonly updateCard?: typeof paymentMethods.updateCard
  readonly removeCard?: typeof paymentMethods.removeCard
  readonly makeDefault?: typeof paymentMethods.makeDefault
  readonly bankMethods?: typeof paymentMethods.bankMethods
  readonly removeBankMethod?: typeof paymentMethods.removeBankMethod
  readonly setupIntent?: typeof paymentMethods.setupIntent
  readonly confirmSetup?: typeof paymentMethods.confirmSetup
  readonly checkoutSession?: typeof paymentMethods.checkoutSession
}

/**
 * Which provider's customers each family of paths serves. The provider is the reseller's own setting; a path of another provider answers
 * as if it were not there. Lists are there without payments too (payments.md §7, Listing by provider type).
 */
const FAMILIES: readonly Paths[] = [{ of: ['none', 'stripe'], ...paymentMethods }]

export const paymentMethodsArea =
  (deps: PaymentMethodsDeps): RegisterArea =>
  (route) => {
    for (const paths of FAMILIES) serveFamily(deps, route, paths)
  }

const serveFamily = (deps: PaymentMethodsDeps, route: RegisterRoute, paths: Paths): void => {
  const { of } = paths
  if (paths.cards) route(paths.cards, async (ask) => (await listMethods(deps, ask, of, 'card')).map((row) => cardOf(row)))
  if (paths.bankMethods) route(paths.bankMethods, async (ask) => (await listMethods(deps, ask, of, 'bank')).map((row) => bankMethodOf(row)))
  if (paths.addCard) route(paths.addCard, (ask, { body }) => addCard(deps, ask, of, body))
  if (paths.updateCard) route(paths.updateCard, (ask, { body }) => updateCard(deps, ask, of, body))
  if (paths.removeCard) route(paths.removeCard, (ask, { params }) => removeMethod(deps, ask, of, params.id, 'card'))
  if (paths.removeBankMethod) route(paths.removeBankMethod, (ask, { params }) => removeMethod(deps, ask, of, params.id, 'bank'))
  if (paths.makeDefault) route(paths.makeDefault, (ask, { body }) => makeDefault(deps, ask, of, body.id))
  if (paths.setupIntent) route(paths.setupIntent, (ask) => setupIntent(deps, ask, of))
  if (paths.confirmSetup) route(paths.confirmSetup, (ask, { body }) => confirmSetup(deps, ask, of, body))
  if (paths.checkoutSession) route(paths.checkoutSession, (ask, { params }) => checkoutSession(deps, ask, of, params.type))
}
