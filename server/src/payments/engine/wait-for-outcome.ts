import { setTimeout } from 'node:timers/promises'
import { addMs } from '../../kit/clock.ts'
import type { AttemptStatus } from './attempt.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import { type Attempt, type AttemptKey, findAttempt } from './settle.queries.ts'

const POLL_MS = 100

/** On its way to the company, in the hands of whoever submitted it. */
const IN_FLIGHT: ReadonlySet<AttemptStatus> = new Set(['created', 'submitting'])

/** Is somebody still at it? One that began longer ago than a company may take has lost whoever submitted it. */
const isInFlight = ({ clock, config }: PaymentsDeps, { status, createdAt }: Attempt): boolean =>
  IN_FLIGHT.has(status) && clock() <= addMs(createdAt, config.paymentTimeoutMs)

const pendingByAttempt = new Map<string, Promise<Attempt>>()

/**
 * What became of an attempt that was submitted before. One that is on its way just now is waited for, as long as a company may take to
 * answer, so that whoever submits the same twice at once is answered alike; however many wait, the database is asked by one of them.
 * @returns as it stands then: on its way still, where whoever submitted it is gone
 */
export const waitForOutcome = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt> => {
  const attempt = await loadAttempt(deps, key)
  if (!isInFlight(deps, attempt)) return attempt
  const pendingKey = `${key.customerId} ${key.id}`
  const pending = pendingByAttempt.get(pendingKey) ?? pollUntilSettled(deps, key).finally(() => pendingByAttempt.delete(pendingKey))
  pendingByAttempt.set(pendingKey, pending)
  return pending
}

const pollUntilSettled = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt> => {
  const deadline = performance.now() + deps.config.paymentTimeoutMs
  for (;;) {
    const attempt = await loadAttempt(deps, key)
    if (!isInFlight(deps, attempt) || performance.now() > deadline) return attempt
    await setTimeout(POLL_MS)
  }
}

const loadAttempt = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt> => {
  const attempt = await transactAsReseller(deps, key.resellerId, (db) => findAttempt(db, key))
  if (attempt === undefined) throw new Error(`there is no attempt ${key.id}`)
  return attempt
}
