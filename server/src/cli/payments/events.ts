import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import {
  assignEventPositions,
  listEventPositionsAfter,
  listEventsAtPositions,
  type OutboxEvent,
} from '../../payments/engine/outbox.queries.ts'
import { command, flag, OF_RESELLER, textOption } from '../command.ts'
import { requireReseller } from './command-support.ts'

const PAGE = 1_000
const SYSTEM = { role: 'counterfoil_system' } as const

/** The next call continues at the `cursor` of the last event. Earlier calls never miss an event: later ones only come after. */
export const eventsCommand = command({
  name: 'events',
  about: 'what the billing engine is to hear: one JSON object a line, in an order that never changes',
  options: {
    since: { ...textOption('cursor', 'go on after the event with this cursor'), default: '0' },
    most: textOption('number', 'so many at most'),
    reseller: OF_RESELLER,
    json: flag('the same: it is always JSON'),
  },
  run: async (context, io, _, options) => {
    const [cursor, reseller, limit] = [options.since.trim(), options.reseller?.trim(), options.most?.trim()]
    for (const number of [cursor, limit ?? '1'])
      if (!/^\d{1,15}$/.test(number)) throw new OperatorError('Where to go on (--since), and how many (--most), are whole numbers.')
    const resellerId = reseller === undefined ? null : await requireReseller(context, reseller)
    await context.store.transact(SYSTEM, assignEventPositions, { pool: 'background' })
    let [since, remaining] = [Number(cursor), limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)]
    while (remaining > 0) {
      const page = { since, resellerId, limit: Math.min(PAGE, remaining) }
      const events = await listEventPage(context, page)
      for (const { position, kind, createdAt, resellerId: eventResellerId, payload } of events)
        io.out(JSON.stringify({ cursor: position, kind, at: createdAt, resellerId: eventResellerId, ...payload }))
      const last = events.at(-1)
      if (last === undefined) return 0
      since = last.position
      remaining -= events.length
    }
    return 0
  },
})

/**
 * The next page of events of the outbox, by position. The system role finds the positions; each reseller's role reads the content of its
 * own.
 */
const listEventPage = async ({ store }: AppContext, page: Parameters<typeof listEventPositionsAfter>[1]): Promise<OutboxEvent[]> => {
  const found = await store.transact(SYSTEM, (db) => listEventPositionsAfter(db, page), { pool: 'background' })
  const events: OutboxEvent[] = []
  for (const [resellerId, ofReseller] of Map.groupBy(found, (one) => one.resellerId)) {
    const [role, positions] = [{ role: 'counterfoil_reseller', resellerId } as const, ofReseller.map(({ position }) => position)]
    events.push(...(await store.transact(role, (db) => listEventsAtPositions(db, positions), { pool: 'background' })))
  }
  return events.toSorted((one, other) => one.position - other.position)
}
