import { type IPpayMethod, ippayMethods } from '@counterfoil/contract/providers/ippay'
import type { CustomerRequestContext } from '../../../http/request-context.ts'
import type { MethodHandlers, MethodPaths } from '../method-paths.ts'
import type { MethodRow } from '../method.ts'

/** The paths for cards and bank accounts at IPpay, which stand in one list. */
export const ippayPaths: MethodPaths = {
  pathFamily: 'ippay',
  register: (route, methods) => {
    route(ippayMethods.ippayCards, async (request) => (await listAll(methods, request)).map((row) => toIPpayMethod(row)))
    route(ippayMethods.addIPpayCard, (request, { body }) => methods.storeFramed(request, body.token))
    route(ippayMethods.makeIPpayDefault, (request, { body }) => methods.makeDefault(request, body.id))
    route(ippayMethods.removeIPpayCard, async (request, { params }) => {
      const isBank = (await methods.list(request, 'bank')).some(({ id }) => id === params.id)
      await methods.remove(request, params.id, isBank ? 'bank' : 'card')
    })
    route(ippayMethods.ippayCardTemplate, (request, { params }) => methods.frame(request, params.type === 'CC' ? 'card' : 'bank'))
    route(ippayMethods.ippayBulkTemplate, (request, { params, query }) => methods.payFrame(request, params.sessionId, query.shownTotal))
  },
}

/** The customer's stored cards, then the bank accounts. */
const listAll = async (methods: MethodHandlers, request: CustomerRequestContext): Promise<MethodRow[]> => [
  ...(await methods.list(request, 'card')),
  ...(await methods.list(request, 'bank')),
]

/** The last four digits behind asterisks; null where they are not known. */
const toNumber = (last4: string | undefined): string | null => (last4 === undefined ? null : `****${last4}`)

/** A stored card or bank account as the API shows it. */
const toIPpayMethod = ({ id, isDefault, kind, details }: MethodRow): IPpayMethod =>
  kind === 'card'
    ? {
        id,
        isDefault,
        sourceType: 'CC',
        ipPayCard: {
          type: details.brand ?? null,
          number: toNumber(details.last4),
          expiryMonth: details.expMonth ?? null,
          expiryYear: details.expYear ?? null,
        },
      }
    : { id, isDefault, sourceType: 'ACH', ipPayBankAccount: { accNum: toNumber(details.last4), routingNum: details.bankCode ?? null } }
