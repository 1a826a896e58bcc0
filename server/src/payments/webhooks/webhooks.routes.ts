import type { FastifyInstance } from 'fastify'
import { notFound } from '../../kit/api-error.ts'
import type { ConcurrencyGate } from '../../http/load/concurrency-gate.ts'
import { receiveWebhook } from './webhook-events.ts'
import { findProviderFor, type PaymentsDeps } from '../payments-deps.ts'

/** A provider sends the whole object that has changed. */
const MAX_WEBHOOK_BYTES = 1_048_576
const RESELLER_ID = /^[1-9]\d{0,8}$/

interface HookParams {
  readonly provider: string
  readonly resellerId: string
}

/** `POST /hooks/<provider>/<resellerId>`: webhooks of payment providers. The body stays the text that was signed. */
export const registerWebhookRoutes = (
  app: FastifyInstance,
  deps: PaymentsDeps & { readonly concurrencyGate: ConcurrencyGate; onWebhookEvent(): void },
): void => {
  void app.register(async (scope) => {
    scope.addHook<{ Params: HookParams }>('onRequest', async ({ params: { provider, resellerId } }) => {
      if (!RESELLER_ID.test(resellerId) || findProviderFor(deps, provider) === undefined) throw notFound() // before the body is read
    })
    scope.addHook('preValidation', (request) => deps.concurrencyGate.admitAddress('/hooks', request))
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.post<{ Params: HookParams }>(
      '/hooks/:provider/:resellerId',
      { bodyLimit: MAX_WEBHOOK_BYTES },
      async ({ params, headers, body }, reply) => {
        const textHeaders = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
        const request = { headers: Object.fromEntries(textHeaders), raw: typeof body === 'string' ? body : '' }
        await receiveWebhook(deps, { provider: params.provider, resellerId: Number(params.resellerId) }, request)
        deps.onWebhookEvent()
        return reply.code(200).send({ received: true })
      },
    )
  })
}
