import { later } from '../../kit/clock.ts'
import { notFound } from '../../kit/api-error.ts'
import { accountOf } from '../accounts/accounts.ts'
import { lookUp } from '../engine/look-up.ts'
import { attemptOf, closeNotice, isReseller, type StoredNotice, storeNotice, takeNotice } from './webhook-events.queries.ts'
import { transactAsReseller, type PaymentsDeps } from '../payments-deps.ts'

const transactAsSystem = <T>({ store }: PaymentsDeps, work: Parameters<typeof store.transact<T>>[1]): Promise<T> =>
  store.transact({ role: 'counterfoil_system' }, work)

/**
 * Takes a company's notice in: its signature is checked on the text as it came, then it is stored, and nothing else; who calls gets its
 * answer before anything is done about it.
 * @throws Refusal 401 for a signature that is not the company's; 404 where no such company tells us anything
 */
export const receiveNotice = async (
  deps: PaymentsDeps,
  from: { provider: string; resellerId: number },
  notice: { headers: Readonly<Record<string, string>>; raw: string },
): Promise<void> => {
  if (!(await transactAsSystem(deps, (db) => isReseller(db, from.resellerId)))) throw notFound()
  const account = await accountOf(deps, from.resellerId, from.provider)
  if (account === null || account.provider.receive === undefined) throw notFound()
  const notices = account.provider.receive(account.call, notice)
  await transactAsSystem(deps, async (db) => {
    for (const one of notices) await storeNotice(db, from, one, deps.clock())
  })
}

const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 3_600_000
/** So long the payment that a notice is about may still turn up; then reconciliation is left to find it. */
const KEPT_MS = 24 * 3_600_000

/** Looks into every notice that is due: a hint to ask the company, so neither order nor repetition of notices matters. */
export const processNotices = async (deps: PaymentsDeps, stopping?: AbortSignal): Promise<void> => {
  for (;;) {
    if (stopping?.aborted === true) return
    const notice = await transactAsSystem(deps, (db) => takeNotice(db, deps.clock()))
    if (notice === undefined) return
    const error = await lookInto(deps, notice).catch((failure: unknown) => (failure instanceof Error ? failure.message : 'it broke off'))
    const now = deps.clock()
    const again = later(now, Math.min(FIRST_PAUSE_MS * 2 ** (notice.tries - 1), LONGEST_PAUSE_MS))
    const isOver = error === null || again > later(notice.receivedAt, KEPT_MS)
    await transactAsSystem(deps, (db) => closeNotice(db, notice, { dueAt: isOver ? null : again, error, now }))
    if (error !== null && isOver)
      deps.log.error({ eventId: notice.eventId, provider: notice.provider, failure: error }, 'a notice was given up')
  }
}

/** What is still wrong; null when nothing is. */
const lookInto = async (deps: PaymentsDeps, notice: StoredNotice): Promise<string | null> => {
  const attempt = await transactAsReseller(deps, notice.resellerId, (db) => attemptOf(db, notice))
  if (attempt === undefined) return 'there is no such payment'
  await lookUp(deps, attempt, 'notice')
  return null
}
