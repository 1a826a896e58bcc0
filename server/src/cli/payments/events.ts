import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { listEventsAt, type OutboxEvent, assignEventPlaces, listEventPlacesAfter } from '../../payments/engine/outbox.queries.ts'
import { command, flag, textOption } from '../command.ts'
import { ONE_RESELLER, requireReseller } from './command-support.ts'

const PAGE = 1_000
const SYSTEM = { role: 'counterfoil_system' } as const

/** The next call continues at the `cursor` of the last event. Earlier calls never miss an event: later ones only come after. */
export const eventsCommand = command({
  name: 'events',
  about: 'what the billing engine is to hear: one JSON object a line, in an order that never changes',
  options: {
    since: { ...textOption('cursor', 'go on after the event with this cursor'), default: '0' },
    most: textOption('number', 'so many at most'),
    reseller: ONE_RESELLER,
    json: flag('the same: it is always JSON'),
  },
  run: async (context, io, _, options) => {
    const [cursor, reseller, limit] = [options.since.trim(), options.reseller?.trim(), options.most?.trim()]
    for (const number of [cursor, limit ?? '1'])
      if (!/^\d{1,15}$/.test(number)) throw new OperatorError('Where to go on (--since), and how many (--most), are whole numbers.')
    const resellerId = reseller === undefined ? null : await requireReseller(context, reseller)
    await context.store.transact(SYSTEM, assignEventPlaces, { pool: 'background' })
    let [since, remaining] = [Number(cursor), limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)]
    while (remaining > 0) {
      const page = { since, resellerId, limit: Math.min(PAGE, remaining) }
      const events = await listEventPage(context, page)
      for (const { place, kind, createdAt, resellerId: eventResellerId, payload } of events)
        io.out(JSON.stringify({ cursor: place, kind, at: createdAt, resellerId: eventResellerId, ...payload }))
      const last = events.at(-1)
      if (last === undefined) return 0
      since = last.place
      remaining -= events.length
    }
    return 0
  },
})

/** The system role sees the order of events; each reseller role sees only its own content. */
const listEventPage = async ({ store }: AppContext, page: Parameters<typeof listEventPlacesAfter>[1]): Promise<OutboxEvent[]> => {
  const places = await store.transact(SYSTEM, (db) => listEventPlacesAfter(db, page), { pool: 'background' })
  const events: OutboxEvent[] = []
  for (const [resellerId, theirs] of Map.groupBy(places, (one) => one.resellerId)) {
    const positions = theirs.map(({ place }) => place)
    events.push(
      ...(await store.transact({ role: 'counterfoil_reseller', resellerId }, (db) => listEventsAt(db, positions), { pool: 'background' })),
    )
  }
  return events.toSorted((one, other) => one.place - other.place)
}
