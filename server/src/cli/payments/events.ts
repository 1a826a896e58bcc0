import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { listEventsAt, type OutboxEvent, assignPlaces, listPlacesAfter } from '../../payments/engine/outbox.queries.ts'
import type { Command } from '../command.ts'
import { given, resellerMeant } from './command-support.ts'

const PAGE = 1_000
const SYSTEM = { role: 'counterfoil_system' } as const

/**
 * `counterfoil events --since N [--reseller R]`: what the billing engine is to hear, one JSON object a line; `cursor` of the last one is
 * where the next call goes on. The same call gives the same events again, and later ones behind them, never before.
 */
export const eventsCommand: Command = async (context, io, _, options) => {
  const [typed = '0', reseller, most] = [given(options, 'since'), given(options, 'reseller'), given(options, 'most')]
  for (const number of [typed, most ?? '1'])
    if (!/^\d{1,15}$/.test(number)) throw new OperatorError('Where to go on (--since), and how many (--most), are whole numbers.')
  const resellerId = reseller === undefined ? null : await resellerMeant(context, reseller)
  await context.store.transact(SYSTEM, assignPlaces, 'background')
  let [since, left] = [Number(typed), most === undefined ? Number.POSITIVE_INFINITY : Number(most)]
  while (left > 0) {
    const asked = { since, resellerId, limit: Math.min(PAGE, left) }
    const events = await pageOf(context, asked)
    for (const { place, kind, createdAt, resellerId: of, payload } of events)
      io.out(JSON.stringify({ cursor: place, kind, at: createdAt, resellerId: of, ...payload }))
    const last = events.at(-1)
    if (last === undefined) return 0
    since = last.place
    left -= events.length
  }
  return 0
}

/** Which events come next is seen by the house; what they say, by each reseller alone. */
const pageOf = async ({ store }: AppContext, asked: Parameters<typeof listPlacesAfter>[1]): Promise<OutboxEvent[]> => {
  const places = await store.transact(SYSTEM, (db) => listPlacesAfter(db, asked), 'background')
  const events: OutboxEvent[] = []
  for (const [resellerId, theirs] of Map.groupBy(places, (one) => one.resellerId)) {
    const at = theirs.map(({ place }) => place)
    events.push(...(await store.transact({ role: 'counterfoil_reseller', resellerId }, (db) => listEventsAt(db, at), 'background')))
  }
  return events.toSorted((one, other) => one.place - other.place)
}
