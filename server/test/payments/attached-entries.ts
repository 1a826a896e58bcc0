import { createHttpClient } from '../../src/kit/outgoing-http.ts'
import { createProviderCache } from '../../src/payments/accounts/provider-cache.ts'
import { bpoint } from '../../src/payments/providers/bpoint/bpoint.ts'
import type { Answer } from '../support/http-client.ts'
import type { PayingCustomer } from './payments-fixture.ts'
import type { TestSandbox } from './sandbox.ts'

export const BPOINT_SETTINGS = { username: 'portal', password: 'correct horse', merchantNumber: '5353109000000000' }

/** A card as a browser attaches it. The clock of a test may advance by years. */
export const bpointCard = (more: object = {}) => ({
  card: { number: '4987654321098769', expiry: { month: '12', year: '60' }, cvn: '123', name: 'Ada Holder', ...more },
})

/** A bank account as a browser attaches it. */
export const bpointBank = (more: object = {}) => ({ bank: { bsb: '062000', account: '12345678', name: 'Ada Holder', ...more } })

/** Attaches a method to a key, straight to the sandbox's BPOINT, as its script does. */
export const attachAtBpoint = async (
  { url }: Pick<TestSandbox, 'url'>,
  kind: 'txns' | 'tokens',
  authKey: string,
  method: object,
): Promise<number> => {
  const answer = await fetch(`${url}/bpoint/rest/v5/${kind}/authkeys/${authKey}/payment-method`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(method),
  })
  return answer.status
}

/** Stores a method of a customer through the API. */
export const storeAtBpoint = async (
  payer: { readonly me: Pick<PayingCustomer['me'], 'get' | 'post'> },
  sandbox: TestSandbox,
  method: object = bpointCard(),
): Promise<Answer> => {
  const { authKey } = (await payer.me.get('/v1/ec/bpoint/authkeys')).json<{ authKey: string }>()
  await attachAtBpoint(sandbox, 'tokens', authKey, method)
  return payer.me.post('/v1/ec/bpoint/cards', { authKeys: authKey })
}

/** Settles a debit that the sandbox's BPOINT has booked, or lets its bank refuse or return it. */
export const settleAtBpoint = async ({ url }: Pick<TestSandbox, 'url'>, id: string, outcome: 'succeeded' | 'failed' | 'returned') => {
  const body = JSON.stringify({ provider: 'bpoint', id, outcome })
  const { status } = await fetch(`${url}/settle`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return status
}

/** Sets the clock of the sandbox's BPOINT, whose searches are by day. */
export const setBpointClock = async ({ url }: Pick<TestSandbox, 'url'>, at: Date): Promise<void> => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ at: at.toISOString() }) }
  const { ok } = await fetch(`${url}/bpoint/clock`, init)
  if (!ok) throw new Error('the clock could not be set')
}

/** A context of the adapter, which collects its redacted transcripts. */
export const bpointContext = (sandbox: Pick<TestSandbox, 'url'>, transcripts: string[] = [], settings: object = {}) => ({
  settings: { ...BPOINT_SETTINGS, testMode: true, ...settings },
  baseUrl: `${sandbox.url}/bpoint`,
  http: createHttpClient({
    timeoutMs: 1_500,
    scrub: (text) => bpoint.redact(text),
    record: (transcript) => void transcripts.push(transcript),
  }),
  now: new Date(),
  cache: createProviderCache(() => new Date()),
})
