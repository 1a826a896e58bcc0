import { paymentMethods } from '@counterfoil/contract/payment-methods'
import type { Area, Serve } from '../../http/request-context.ts'
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
  (deps: PaymentMethodsDeps): Area =>
  (serve) => {
    for (const paths of FAMILIES) serveFamily(deps, serve, paths)
  }

const serveFamily = (deps: PaymentMethodsDeps, serve: Serve, paths: Paths): void => {
  const { of } = paths
  if (paths.cards) serve(paths.cards, async (ask) => (await listMethods(deps, ask, of, 'card')).map((row) => cardOf(row)))
  if (paths.bankMethods) serve(paths.bankMethods, async (ask) => (await listMethods(deps, ask, of, 'bank')).map((row) => bankMethodOf(row)))
  if (paths.addCard) serve(paths.addCard, (ask, { body }) => addCard(deps, ask, of, body))
  if (paths.updateCard) serve(paths.updateCard, (ask, { body }) => updateCard(deps, ask, of, body))
  if (paths.removeCard) serve(paths.removeCard, (ask, { params }) => removeMethod(deps, ask, of, params.id, 'card'))
  if (paths.removeBankMethod) serve(paths.removeBankMethod, (ask, { params }) => removeMethod(deps, ask, of, params.id, 'bank'))
  if (paths.makeDefault) serve(paths.makeDefault, (ask, { body }) => makeDefault(deps, ask, of, body.id))
  if (paths.setupIntent) serve(paths.setupIntent, (ask) => setupIntent(deps, ask, of))
  if (paths.confirmSetup) serve(paths.confirmSetup, (ask, { body }) => confirmSetup(deps, ask, of, body))
  if (paths.checkoutSession) serve(paths.checkoutSession, (ask, { params }) => checkoutSession(deps, ask, of, params.type))
}
