import type { FastifyInstance } from 'fastify'
import type { ConcurrencyGate } from '../../http/load/concurrency-gate.ts'
import { requestInfoOf } from '../../http/request-info.ts'
import { RETURN_PATH } from '../../payments/returns/payment-return.ts'
import { finishFrame, type FrameReturnDeps } from './frame-return.service.ts'

/**
 * Registers the address to which the provider's page in a frame sends the browser. It needs no cookie: what it does follows from its own
 * signed state.
 */
export const registerFrameReturnRoute = (
  app: FastifyInstance,
  deps: FrameReturnDeps & { readonly concurrencyGate: ConcurrencyGate },
): void => {
  app.post<{ Params: { '*': string }; Body: unknown }>(`${RETURN_PATH}*`, async (request, reply) => {
    const requestInfo = requestInfoOf(request, reply, true)
    deps.localLimiter.consumeAddress('anonymous', requestInfo.address, deps.payments.clock())
    await deps.concurrencyGate.admitAddress(RETURN_PATH, request)
    const { html, csp } = await finishFrame(deps, requestInfo, request.params['*'], request.body)
    // The page stands in a frame of the portal, which its own policy names. It has no origin that could have a cluster of its own.
    void reply.removeHeader('x-frame-options').removeHeader('origin-agent-cluster')
    return reply.header('content-security-policy', csp).type('text/html; charset=utf-8').send(html)
  })
}
