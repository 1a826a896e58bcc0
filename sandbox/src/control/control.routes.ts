import type { FastifyPluginAsync } from 'fastify'
import { CALL_FAULTS, type FaultOrder, WEBHOOK, WEBHOOK_FAULTS } from '../faults/faults.ts'
import { PROVIDERS, type ProviderName } from '../providers.ts'
import { OUTCOMES, type Outcome } from '../ledger/settlements.ts'
import type { Stores } from '../stores.ts'

const MAX_TIMES = 1000
const MAX_WAIT_MS = 600_000

const faultBody = {
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
    { if: { properties: { operation: { const: WEBHOOK } } }, else: { properties: { kind: { enum: CALL_FAULTS } } } },
    { if: { properties: { operation: { not: { const: WEBHOOK } } } }, else: { properties: { kind: { enum: WEBHOOK_FAULTS } } } },
  ],
}

const settleBody = {
  type: 'object',
  required: ['provider', 'id', 'outcome'],
  additionalProperties: false,
  properties: {
    provider: { enum: PROVIDERS },
    id: { type: 'string', minLength: 1, maxLength: 200 },
    outcome: { enum: OUTCOMES },
  },
}

interface SettleOrder {
  readonly provider: ProviderName
  readonly id: string
  readonly outcome: Outcome
}

/** The sandbox's own interface: GET /mail and /ledger, POST /faults, /settle and /reset (decisions.md, The sandbox's own interface). */
export const sandboxRoutes: FastifyPluginAsync<Stores> = async (app, { mailbox, ledger, faults, settlements, stripe }) => {
  app.get('/mail', async () => mailbox.list().map(({ to, subject, text, html, at }) => ({ to, subject, text, html, at })))

  app.get('/ledger', async () => ledger.list())

  app.post<{ Body: FaultOrder }>('/faults', { schema: { body: faultBody } }, async ({ body }) => faults.add(body))

  app.post<{ Body: SettleOrder }>('/settle', { schema: { body: settleBody } }, async ({ body }, reply) => {
    const { provider, id, outcome } = body
    const settled = await settlements.settle(provider, id, outcome)
    return settled ?? reply.code(404).send({ message: `No ${provider} debit with the id "${id}" waits to be settled as ${outcome}.` })
  })

  app.post('/reset', async () => {
    mailbox.reset()
    ledger.reset()
    faults.reset()
    stripe.reset()
    return { message: 'Mail, ledger and faults are empty.' }
  })
}
