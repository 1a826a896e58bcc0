import { paymentMethods } from '@counterfoil/contract/payment-methods'
import type { RegisterArea, RegisterRoute } from '../../http/request-context.ts'
import type { MethodHandlers } from '../../payments/providers/method-paths.ts'
import { METHOD_PATHS } from '../../payments/providers/registry.ts'
import { openBulkFrame } from '../bulk-payment/bulk-frame.service.ts'
import { type PaymentMethodsDeps, requirePathFamily } from './method-family.service.ts'
import { openMethodFrame, storeFramedMethod } from './method-frame.service.ts'
import { storeMethod, updateMethod } from './store-method.service.ts'
import { toBankMethod } from './payment-methods.rules.ts'
import {
  addCard,
  checkoutSession,
  confirmSetup,
  listCards,
  listMethods,
  makeDefault,
  removeMethod,
  setupIntent,
  createFamilyCardForm,
  updateCard,
} from './payment-methods.service.ts'

/** The endpoints of one family of paths; a family lacks what its providers do not support. */
interface FamilyPaths {
  readonly pathFamily: string
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

/** The path families that several providers share. The provider is the reseller's setting; paths of another family answer 404. */
const FAMILIES: readonly FamilyPaths[] = [{ pathFamily: 'payments', ...paymentMethods }]

/** Registers the endpoints of stored cards and bank accounts below the paths that several providers share. */
export const paymentMethodsArea =
  (deps: PaymentMethodsDeps): RegisterArea =>
  (route) => {
    for (const paths of FAMILIES) registerFamily(deps, route, paths)
  }

/** Registers the endpoints that a family of paths has. */
const registerFamily = (deps: PaymentMethodsDeps, route: RegisterRoute, paths: FamilyPaths): void => {
  const { pathFamily: family } = paths
  if (paths.cards) route(paths.cards, (request) => listCards(deps, request, family))
  if (paths.bankMethods)
    route(paths.bankMethods, async (request) => (await listMethods(deps, request, family, 'bank')).map((row) => toBankMethod(row)))
  if (paths.addCard) route(paths.addCard, (request, { body }) => addCard(deps, request, family, body))
  if (paths.updateCard) route(paths.updateCard, (request, { body }) => updateCard(deps, request, family, body))
  if (paths.removeCard) route(paths.removeCard, (request, { params }) => removeMethod(deps, request, family, params.id, 'card'))
  if (paths.removeBankMethod) route(paths.removeBankMethod, (request, { params }) => removeMethod(deps, request, family, params.id, 'bank'))
  if (paths.makeDefault) route(paths.makeDefault, (request, { body }) => makeDefault(deps, request, family, body.id))
  if (paths.setupIntent) route(paths.setupIntent, (request) => setupIntent(deps, request, family))
  if (paths.confirmSetup) route(paths.confirmSetup, (request, { body }) => confirmSetup(deps, request, family, body))
  if (paths.checkoutSession) route(paths.checkoutSession, (request, { params }) => checkoutSession(deps, request, family, params.type))
}

/** Registers the endpoints below the paths that one provider has for itself. */
export const providerMethodsArea =
  (deps: PaymentMethodsDeps): RegisterArea =>
  (route) => {
    for (const { pathFamily, register } of METHOD_PATHS) register(route, handlersOf(deps, pathFamily))
  }

/** The handlers of one provider's own paths; they answer 404 for customers of another provider. */
const handlersOf = (deps: PaymentMethodsDeps, family: string): MethodHandlers => ({
  frame: (request, kind) => openMethodFrame(deps, request, family, kind),
  payFrame: async (request, sessionId, shownTotal) => {
    await requirePathFamily(deps, request.scope.resellerId, family)
    return openBulkFrame(deps, request, sessionId, shownTotal)
  },
  storeFramed: (request, state) => storeFramedMethod(deps, request, family, state),
  list: (request, kind) => listMethods(deps, request, family, kind),
  store: (request, method) => storeMethod(deps, request, family, method),
  update: (request, method) => updateMethod(deps, request, family, method),
  remove: (request, id, kind) => removeMethod(deps, request, family, id, kind),
  makeDefault: (request, id) => makeDefault(deps, request, family, id),
  createCardForm: (request, changed) => createFamilyCardForm(deps, request, family, changed),
})
