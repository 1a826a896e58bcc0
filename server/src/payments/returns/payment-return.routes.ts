import type { FastifyInstance } from 'fastify'
import type { ConcurrencyGate } from '../../http/load/concurrency-gate.ts'
import type { Keys } from '../../kit/keys.ts'
import { RETURN_PATH, returnPathOf } from './payment-return.ts'

/**
 * Registers the address to which payers come back from confirming: a GET that redirects to the portal's page. No session is needed, and
 * nothing is read but the address's own signed state.
 */
export const registerPaymentReturnRoutes = (
  app: FastifyInstance,
  deps: { readonly keys: Keys; readonly concurrencyGate: ConcurrencyGate },
): void => {
  app.get<{ Params: { '*': string } }>(`${RETURN_PATH}*`, async (request, reply) => {
    await deps.concurrencyGate.admitAddress(RETURN_PATH, request)
    return reply.redirect(returnPathOf(deps.keys, request.params['*']), 303)
  })
}
