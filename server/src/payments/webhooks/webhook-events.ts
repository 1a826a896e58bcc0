import { addMs } from '../../kit/clock.ts'
import { notFound } from '../../kit/api-error.ts'
import { findAccount } from '../accounts/accounts.ts'
import { lookUpAttempt } from '../engine/look-up.ts'
import {
  findAttemptOfEvent,
  updateWebhookEvent,
  resellerExists,
  type StoredWebhookEvent,
  insertWebhookEvent,
  leaseDueWebhookEvent,
} from './webhook-events.queries.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'

const transactAsSystem = <T>({ store }: PaymentsDeps, work: Parameters<typeof store.transact<T>>[1]): Promise<T> =>
  store.transact({ role: 'counterfoil_system' }, work)

/**
 * Receives a webhook: verifies the signature on the raw text and stores the events; they are processed after the response.
 * @throws ApiError 401 for an invalid signature; 404 where no provider sends webhooks
 */
export const receiveWebhook = async (
  deps: PaymentsDeps,
  sender: { provider: string; resellerId: number },
  request: { headers: Readonly<Record<string, string>>; raw: string },
): Promise<void> => {
  if (!(await transactAsSystem(deps, (db) => resellerExists(db, sender.resellerId)))) throw notFound()
  const account = await findAccount(deps, sender.resellerId, sender.provider)
  if (account === null || account.provider.parseWebhook === undefined) throw notFound()
  const events = account.provider.parseWebhook(account.context, request)
  await transactAsSystem(deps, async (db) => {
    for (const event of events) await insertWebhookEvent(db, sender, event, deps.clock())
  })
}

const MIN_RETRY_DELAY_MS = 30_000
const MAX_RETRY_DELAY_MS = 3_600_000
/** How long a webhook may wait for its payment to appear; after that, reconciliation finds it. */
const MAX_RETRY_AGE_MS = 24 * 3_600_000

/** Processes every due webhook event by looking up its payment; order and repetition therefore do not matter. */
export const processWebhookEvents = async (deps: PaymentsDeps, stopping?: AbortSignal): Promise<void> => {
  for (;;) {
    if (stopping?.aborted === true) return
    const event = await transactAsSystem(deps, (db) => leaseDueWebhookEvent(db, deps.clock()))
    if (event === undefined) return
    const error = await processEvent(deps, event).catch((failure: unknown) => (failure instanceof Error ? failure.message : 'it broke off'))
    const now = deps.clock()
    const retryAt = addMs(now, Math.min(MIN_RETRY_DELAY_MS * 2 ** (event.tries - 1), MAX_RETRY_DELAY_MS))
    const isOver = error === null || retryAt > addMs(event.receivedAt, MAX_RETRY_AGE_MS)
    await transactAsSystem(deps, (db) => updateWebhookEvent(db, event, { dueAt: isOver ? null : retryAt, error, now }))
    if (error !== null && isOver)
      deps.log.error({ eventId: event.eventId, provider: event.provider, failure: error }, 'a webhook event was given up')
  }
}

/** The error to retry; null when processed. */
const processEvent = async (deps: PaymentsDeps, event: StoredWebhookEvent): Promise<string | null> => {
  const attempt = await transactAsReseller(deps, event.resellerId, (db) => findAttemptOfEvent(db, event))
  if (attempt === undefined) return 'there is no such payment'
  await lookUpAttempt(deps, attempt, 'webhook')
  return null
}
