import { setTimeout } from 'node:timers/promises'
import { later } from '../../kit/clock.ts'
import type { AttemptStatus } from './attempt.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'
import { type Attempt, type AttemptKey, attemptRow } from './settle.queries.ts'

const POLL_MS = 100

/** On its way to the company, in the hands of whoever submitted it. */
const ON_ITS_WAY: ReadonlySet<AttemptStatus> = new Set(['created', 'submitting'])

/** Is somebody still at it? One that began longer ago than a company may take has lost whoever submitted it. */
const isOnItsWay = ({ clock, config }: PaymentsDeps, { status, createdAt }: Attempt): boolean =>
  ON_ITS_WAY.has(status) && clock() <= later(createdAt, config.paymentTimeoutMs)

const waiting = new Map<string, Promise<Attempt>>()

/**
 * What became of an attempt that was submitted before. One that is on its way just now is waited for, as long as a company may take to
 * answer, so that whoever submits the same twice at once is answered alike; however many wait, the database is asked by one of them.
 * @returns as it stands then: on its way still, where whoever submitted it is gone
 */
export const outcomeOf = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt> => {
  const attempt = await standing(deps, key)
  if (!isOnItsWay(deps, attempt)) return attempt
  const name = `${key.customerId} ${key.id}`
  const awaited = waiting.get(name) ?? settled(deps, key).finally(() => waiting.delete(name))
  waiting.set(name, awaited)
  return awaited
}

const settled = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt> => {
  const until = performance.now() + deps.config.paymentTimeoutMs
  for (;;) {
    const attempt = await standing(deps, key)
    if (!isOnItsWay(deps, attempt) || performance.now() > until) return attempt
    await setTimeout(POLL_MS)
  }
}

const standing = async (deps: PaymentsDeps, key: AttemptKey): Promise<Attempt> => {
  const attempt = await transactAsReseller(deps, key.resellerId, (db) => attemptRow(db, key))
  if (attempt === undefined) throw new Error(`there is no attempt ${key.id}`)
  return attempt
}
