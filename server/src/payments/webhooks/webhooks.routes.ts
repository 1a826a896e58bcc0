import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../kit/api-error.ts'
import { receiveNotice } from './webhook-events.ts'
import type { PaymentsDeps } from '../payments-deps.ts'

const RESELLER_ID = /^[1-9]\d{0,8}$/

/** `POST /hooks/<provider>/<resellerId>`: what payment companies tell us. The body stays the text that was signed. */
export const hookRoutes = (app: FastifyInstance, deps: PaymentsDeps & { noticed(): void }): void => {
  void app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    hooks.post<{ Params: { provider: string; resellerId: string } }>(
      '/hooks/:provider/:resellerId',
      async ({ params, headers, body }, reply) => {
        if (!RESELLER_ID.test(params.resellerId)) throw new ApiError(404, 'There is nothing at this address.')
        const texts = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
        const notice = { headers: Object.fromEntries(texts), raw: typeof body === 'string' ? body : '' }
        await receiveNotice(deps, { provider: params.provider, resellerId: Number(params.resellerId) }, notice)
        deps.noticed()
        return reply.code(200).send({ received: true })
      },
    )
  })
}
