import { addDays, type Day, isDay } from '@counterfoil/contract/kit/day'
import { LRUCache } from 'lru-cache'
import { BadRow, quoteValue } from './bad-row.ts'

/** An instant in UTC: its day, and the time of that day as "HH:MM:SS" with up to six further digits. */
export interface UtcInstant {
  readonly day: Day
  readonly time: string
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?: ?(Z|UTC|[+-]\d{2}:?\d{2}))?)?$/
const DAY_MINUTES = 24 * 60

/**
 * Parses an ISO 8601 date with variations that exports use ("2024-09-18T23:00:00Z", "2024-09-18 23:00:00", "2024-09-18"), and converts it
 * to UTC. Without a zone it is UTC.
 * @param what what the text should be
 * @throws BadRow when it is not a valid moment between 1970 and 2999
 */
export const parseInstant = (column: string, text: string, what = 'a date and time'): UtcInstant => {
  const [, day = '', hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = INSTANT.exec(text) ?? []
  const offset = offsetMinutes(zone)
  const isReal = isValidDay(day) && day >= '1970' && day < '3000' && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  if (!isReal || Math.abs(offset) >= DAY_MINUTES) throw new BadRow(`${column}: ${quoteValue(text)} is not ${what}`)
  const rest = `:${second}${fraction === '' ? '' : `.${fraction.slice(0, 6)}`}`
  if (offset === 0) return { day, time: `${hour}:${minute}${rest}` }
  const minutes = Number(hour) * 60 + Number(minute) - offset
  const days = Math.floor(minutes / DAY_MINUTES)
  const dayMinutes = minutes - days * DAY_MINUTES
  const clock = [Math.floor(dayMinutes / 60), dayMinutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
  return { day: days === 0 ? day : addDays(day, days), time: `${clock}${rest}` }
}

/** Cache: a file has many rows and few distinct days. */
const validDays = new LRUCache<string, true>({ max: 1_000 })

/** Whether the text is a day of the calendar; remembered, because a file has many rows and few distinct days. */
const isValidDay = (text: string): boolean => {
  if (validDays.get(text) === true) return true
  if (!isDay(text)) return false
  validDays.set(text, true)
  return true
}

/** How many minutes a zone such as "+02:00" is ahead of UTC. */
const offsetMinutes = (zone: string): number => {
  if (zone === 'Z' || zone === 'UTC') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return zone.startsWith('-') ? -minutes : minutes
}
