import { setTimeout } from 'node:timers/promises'
import { addMs } from '../../kit/clock.ts'
import type { AttemptStatus } from '../attempts/attempt.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import { type Attempt, type AttemptKey, findAttempt } from '../attempts/attempt.queries.ts'

const POLL_MS = 100

/** Being submitted by another request. */
const IN_FLIGHT: ReadonlySet<AttemptStatus> = new Set(['created', 'submitting'])

/** Whether another request is still submitting an attempt. Longer than a provider may take means that the request is gone. */
const isInFlight = ({ clock, config }: PaymentsDeps, { status, createdAt }: Attempt): boolean =>
  IN_FLIGHT.has(status) && clock() <= addMs(createdAt, config.paymentTimeoutMs)

const pendingByAttempt = new Map<string, Promise<Attempt>>()

/**
 * The outcome of an attempt that was submitted before. One in flight is awaited as long as a provider may take, so that identical
 * submissions get the same response; one poll serves all who wait.
 * @returns the attempt, still in flight if its submitter is gone
 */
export const waitForOutcome = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt> => {
  const attempt = await loadAttempt(deps, key)
  if (!isInFlight(deps, attempt)) return attempt
  const pendingKey = `${key.customerId} ${key.id}`
  const pending = pendingByAttempt.get(pendingKey) ?? pollUntilSettled(deps, key).finally(() => pendingByAttempt.delete(pendingKey))
  pendingByAttempt.set(pendingKey, pending)
  return pending
}

/**
 * Reads an attempt again and again, until it is not in flight any more or the time that a provider may take is over. The provider is not
 * asked.
 */
const pollUntilSettled = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt> => {
  const deadline = performance.now() + deps.config.paymentTimeoutMs
  for (;;) {
    const attempt = await loadAttempt(deps, key)
    if (!isInFlight(deps, attempt) || performance.now() > deadline) return attempt
    await setTimeout(POLL_MS)
  }
}

/**
 * Reads an attempt from the database alone.
 * @throws Error when it does not exist
 */
const loadAttempt = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt> => {
  const attempt = await transactAsReseller(deps, key.resellerId, (db) => findAttempt(db, key))
  if (attempt === undefined) throw new Error(`there is no attempt ${key.id}`)
  return attempt
}
