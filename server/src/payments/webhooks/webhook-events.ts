import { type Job, JobFailure, type JobKind } from '../../queue/job.ts'
import { ApiError, notFound } from '../../kit/api-error.ts'
import { type Account, listAccountsWithCredentials } from '../accounts/accounts.ts'
import { lookUpAttempt } from '../engine/look-up.ts'
import { findAttempt } from '../attempts/attempt.queries.ts'
import type { WebhookEvent } from '../providers/webhooks.ts'
import {
  findAttemptOfEvent,
  findWebhookEvent,
  insertWebhookEvent,
  markProcessed,
  resellerExists,
  saveReferenceOfEvent,
  type WebhookEventKey,
} from './webhook-events.queries.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'

/** Runs `work` in one transaction as counterfoil_system. */
const transactAsSystem = <T>({ store }: PaymentsDeps, work: Parameters<typeof store.transact<T>>[1]): Promise<T> =>
  store.transact({ role: 'counterfoil_system' }, work)

/**
 * Receives a webhook: verifies the signature on the raw text and stores the events; they are processed after the response. A former account
 * still signs with its own secret, and tells of its own payments.
 * @throws ApiError 401 for an invalid signature; 400 for what cannot be read; 404 where no provider sends webhooks
 */
export const receiveWebhook = async (
  deps: PaymentsDeps,
  sender: { provider: string; resellerId: number },
  request: { headers: Readonly<Record<string, string>>; raw: string },
): Promise<void> => {
  if (!(await transactAsSystem(deps, (db) => resellerExists(db, sender.resellerId)))) throw notFound()
  const accounts = await listAccountsWithCredentials(deps, sender.resellerId, sender.provider)
  const signed = parseForAccounts(accounts, request)
  if (!signed.events.every(hasStorableIds)) throw new ApiError('unreadable_request', 'This webhook cannot be read.')
  const source = { ...sender, accountIds: signed.accountIds }
  if (accounts[0]?.provider.webhooks?.isSigned === false) return receiveHints(deps, source, signed.events)
  await transactAsSystem(deps, async (db) => {
    for (const event of signed.events) await insertWebhookEvent(db, source, event, deps.clock())
  })
}

/**
 * The events of a webhook, and the accounts whose secret verifies it.
 * @throws ApiError as `parse` of the first account, when none does; 404 without an account that gets webhooks
 */
const parseForAccounts = (
  accounts: readonly Account[],
  request: { headers: Readonly<Record<string, string>>; raw: string },
): { readonly events: readonly WebhookEvent[]; readonly accountIds: readonly number[] } => {
  const accountIds: number[] = []
  let [events, failure] = [[] as readonly WebhookEvent[], undefined as unknown]
  for (const { id, provider, context } of accounts) {
    if (provider.webhooks === undefined) continue
    try {
      events = provider.webhooks.parse(context, request)
      accountIds.push(id)
    } catch (error) {
      failure ??= error
    }
  }
  if (accountIds.length === 0) throw failure ?? notFound()
  return { events, accountIds }
}

/** Whether the ids and kind of an event can be stored: none has a control character, since the database stores no zero byte. */
const hasStorableIds = ({ eventId, kind, merchantReference = '', providerRef = '' }: WebhookEvent): boolean =>
  !/\p{Cc}/u.test(eventId + kind + merchantReference + providerRef)

const HINT_MS = 60_000

/**
 * Queues a look-up of each payment of ours that an unsigned webhook names, at most one in `HINT_MS`. Anybody may send such a webhook, so
 * nothing that it says is stored.
 */
const receiveHints = async (
  deps: PaymentsDeps,
  source: { provider: string; resellerId: number; accountIds: readonly number[] },
  events: readonly WebhookEvent[],
): Promise<void> => {
  const now = deps.clock()
  for (const { merchantReference, providerRef } of events) {
    const subject = {
      ...(merchantReference === undefined ? {} : { merchantReference }),
      ...(providerRef === undefined ? {} : { providerRef }),
    }
    const key = await transactAsReseller(deps, source.resellerId, (db) => findAttemptOfEvent(db, { ...source, subject }))
    const attempt = key === undefined ? undefined : await transactAsReseller(deps, source.resellerId, (db) => findAttempt(db, key))
    if (attempt === undefined) continue
    const eventId = `hint ${attempt.id} ${Math.floor(now.getTime() / HINT_MS)}`
    const hint: WebhookEvent = { eventId, kind: 'hint', about: 'payment', merchantReference: attempt.merchantReference }
    await transactAsSystem(deps, (db) => insertWebhookEvent(db, source, hint, now))
  }
}

/**
 * The kind of job that processes a stored webhook event: the provider is asked what became of our payment that the event names. The order
 * of events and their repetition therefore do not matter. An event of which we have no payment is tried again until the job is given up.
 */
export const webhookEventJob = (deps: PaymentsDeps): JobKind => ({
  name: 'webhook-event',
  concurrency: 1,
  leaseMs: 120_000,
  retry: { firstMs: 30_000, maxMs: 3_600_000 },
  run: async (job) => {
    const key = eventKey(job)
    const event = await transactAsSystem(deps, (db) => findWebhookEvent(db, key))
    if (event === undefined) return
    const attempt = await transactAsReseller(deps, key.resellerId, async (db) => {
      const found = await findAttemptOfEvent(db, event)
      if (found !== undefined) await saveReferenceOfEvent(db, found, event)
      return found
    })
    if (attempt === undefined) throw new JobFailure('there is no such payment')
    await lookUpAttempt(deps, attempt, 'webhook')
    await transactAsSystem(deps, (db) => markProcessed(db, key, deps.clock()))
  },
  onFailure: async (db, job, isOver, now) => {
    if (isOver) await markProcessed(db, eventKey(job), now)
  },
})

/** The key of the webhook event that a job is to process. */
const eventKey = ({ payload }: Job): WebhookEventKey => ({
  resellerId: Number(payload['resellerId']),
  provider: String(payload['provider']),
  eventId: String(payload['eventId']),
})
