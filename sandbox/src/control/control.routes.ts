import type { FastifyPluginAsync } from 'fastify'
import { CALL_FAULTS, type FaultRequest, WEBHOOK_OPERATION, WEBHOOK_FAULTS } from '../faults/faults.ts'
import { PROVIDERS, type ProviderName } from '../provider-names.ts'
import { resetProviders } from '../providers.ts'
import { SETTLEMENT_OUTCOMES, type SettlementOutcome } from '../ledger/settlements.ts'
import type { Stores } from '../stores.ts'

const MAX_TIMES = 1000
const MAX_WAIT_MS = 600_000

const faultBodySchema = {
  type: 'object',
  required: ['provider', 'operation', 'kind', 'times'],
  additionalProperties: false,
  properties: {
    provider: { enum: PROVIDERS },
    operation: { type: 'string', minLength: 1, maxLength: 100 },
    kind: { type: 'string' },
    times: { type: 'integer', minimum: 1, maximum: MAX_TIMES },
    ms: { type: 'integer', minimum: 0, maximum: MAX_WAIT_MS },
    booked: { type: 'boolean' },
  },
  allOf: [
    { if: { properties: { operation: { const: WEBHOOK_OPERATION } } }, else: { properties: { kind: { enum: CALL_FAULTS } } } },
    { if: { properties: { operation: { not: { const: WEBHOOK_OPERATION } } } }, else: { properties: { kind: { enum: WEBHOOK_FAULTS } } } },
  ],
}

const settleBodySchema = {
  type: 'object',
  required: ['provider', 'id', 'outcome'],
  additionalProperties: false,
  properties: {
    provider: { enum: PROVIDERS },
    id: { type: 'string', minLength: 1, maxLength: 200 },
    outcome: { enum: SETTLEMENT_OUTCOMES },
  },
}

interface SettleRequest {
  readonly provider: ProviderName
  readonly id: string
  readonly outcome: SettlementOutcome
}

/** Registers the sandbox's own calls: GET /mail and /ledger, POST /faults, /faults/release, /settle and /reset. */
export const controlRoutes: FastifyPluginAsync<Stores> = async (app, { mailbox, ledger, faults, settlements, providers }) => {
  app.get('/mail', async () => mailbox.list().map(({ to, subject, text, html, at }) => ({ to, subject, text, html, at })))

  app.get('/ledger', async () => ledger.list())

  app.post<{ Body: FaultRequest }>('/faults', { schema: { body: faultBodySchema } }, async ({ body }) => faults.add(body))

  app.post('/faults/release', async () => {
    faults.release()
    return { message: 'Slow answers that waited are sent.' }
  })

  app.post<{ Body: SettleRequest }>('/settle', { schema: { body: settleBodySchema } }, async ({ body }, reply) => {
    const { provider, id, outcome } = body
    const entry = await settlements.settle(provider, id, outcome)
    return entry ?? reply.code(404).send({ message: `No ${provider} payment with the id "${id}" can be settled as ${outcome}.` })
  })

  app.post('/reset', async () => {
    mailbox.reset()
    ledger.reset()
    faults.reset()
    resetProviders(providers)
    return { message: 'Mail, ledger and faults are empty.' }
  })
}
