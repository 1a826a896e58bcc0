import type { FastifyInstance } from 'fastify'
import { notFound } from '../../kit/api-error.ts'
import type { Admission } from '../../http/admission.ts'
import { receiveWebhook } from './webhook-events.ts'
import type { PaymentsDeps } from '../payments-deps.ts'

/** A provider sends the whole object that has changed. */
const MAX_WEBHOOK_BYTES = 1_048_576
const RESELLER_ID = /^[1-9]\d{0,8}$/

/** `POST /hooks/<provider>/<resellerId>`: webhooks of payment providers. The body stays the text that was signed. */
export const registerWebhookRoutes = (
  app: FastifyInstance,
  deps: PaymentsDeps & { readonly admission: Admission; onWebhookEvent(): void },
): void => {
  void app.register(async (scope) => {
    scope.addHook('preValidation', (request, reply) => deps.admission.admitAddress('/hooks', request, reply))
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_WEBHOOK_BYTES }, (_request, body, done) => done(null, body))
    scope.post<{ Params: { provider: string; resellerId: string } }>(
      '/hooks/:provider/:resellerId',
      { config: { load: 'urgent' } },
      async ({ params, headers, body }, reply) => {
        if (!RESELLER_ID.test(params.resellerId)) throw notFound()
        const textHeaders = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
        const request = { headers: Object.fromEntries(textHeaders), raw: typeof body === 'string' ? body : '' }
        await receiveWebhook(deps, { provider: params.provider, resellerId: Number(params.resellerId) }, request)
        deps.onWebhookEvent()
        return reply.code(200).send({ received: true })
      },
    )
  })
}
