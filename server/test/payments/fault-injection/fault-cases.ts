import type { CrashPlan } from './crashing-server.ts'

/** How the company behaves at the first order; it behaves well at every further one. */
const COMPANY = [
  'ok',
  'declined',
  'asks the payer',
  'settles later',
  'fails later',
  'taken back later',
  'silent, charged',
  'silent, not charged',
  'error, charged',
  'error, not charged',
  'refuses the line',
  'garbage',
  'another amount',
  'answers twice',
] as const

/** How those who pay behave. */
const CLIENT = [
  'once',
  'double click',
  'fifty at once',
  'again, same key',
  'again, new key',
  'two tabs',
  'walks away',
  'link and bulk',
] as const

/** How the company's notices behave. */
const NOTICES = ['lost', 'normal', 'before the answer', 'twice at once', 'out of order', 'days late', 'forged'] as const

/** Whether the company makes a payment known before it is confirmed and can give it up, or knows nothing but one call. */
const SHAPE = ['two steps', 'one call'] as const

export interface FaultCase {
  readonly company: (typeof COMPANY)[number]
  readonly client: (typeof CLIENT)[number]
  readonly notices: (typeof NOTICES)[number]
  readonly shape: (typeof SHAPE)[number]
  readonly crash: CrashPlan | null
}

const WHEN = ['before', 'unheard', 'after'] as const

/** Every crash point of a run that had so many effects, in order. */
export const crashPoints = (effects: number): CrashPlan[] =>
  Array.from({ length: effects }, (_, at) => WHEN.map((when): CrashPlan => ({ effect: at + 1, when }))).flat()

/** The coordinates of a case, by which it can be run alone. */
export const nameOf = ({ company, client, notices, shape, crash }: FaultCase): string =>
  `${company} / ${client} / notices ${notices} / ${shape} / ${crash === null ? 'no crash' : `crash ${crash.when} effect ${crash.effect}`}`

/** The case of that name. @throws Error where there is none */
export const caseNamed = (name: string): FaultCase => {
  const cut = name.lastIndexOf(' / ')
  const behaviour = everyBehaviour().find((one) => nameOf(one).startsWith(`${name.slice(0, cut)} / `))
  const point = /^crash (before|unheard|after) effect (\d+)$/.exec(name.slice(cut + 3))
  if (behaviour === undefined || (point === null && !name.endsWith(' / no crash'))) throw new Error(`there is no case "${name}"`)
  return point === null ? behaviour : { ...behaviour, crash: { when: point[1] as CrashPlan['when'], effect: Number(point[2]) } }
}

/** A company of one call has no page of its own on which a payer could confirm. */
const isPossible = ({ shape, company }: FaultCase): boolean => shape === 'two steps' || company !== 'asks the payer'

/** Every way to behave, without a crash. */
export const everyBehaviour = (): FaultCase[] =>
  SHAPE.flatMap((shape) =>
    COMPANY.flatMap((company) => CLIENT.flatMap((client) => NOTICES.map((notices) => ({ company, client, notices, shape, crash: null })))),
  ).filter(isPossible)

/** Few cases in which each two ways to behave, and each crash point of `effects` effects with each way, come together. */
export const pairwise = (effects: number): FaultCase[] => {
  const crashes = [null, ...crashPoints(effects)]
  const sizes = [COMPANY.length, CLIENT.length, NOTICES.length, SHAPE.length, crashes.length]
  return coveringRows(sizes)
    .map(([company = 0, client = 0, notices = 0, shape = 0, crash = 0]) => ({
      company: COMPANY[company] ?? 'ok',
      client: CLIENT[client] ?? 'once',
      notices: NOTICES[notices] ?? 'lost',
      shape: SHAPE[shape] ?? 'two steps',
      crash: crashes[crash] ?? null,
    }))
    .map((one): FaultCase => (isPossible(one) ? one : { ...one, shape: 'two steps' }))
}

/** Two choices of different columns, the first column first. */
const name = (column: number, choice: number, other: number, otherChoice: number): string => `${column}.${choice} ${other}.${otherChoice}`

/** Rows of choices in which every two choices of different columns meet: the widest pairs first, the rest fitted greedily. */
const coveringRows = (sizes: readonly number[]): number[][] => {
  const missing = new Set<string>()
  for (const [column, size] of sizes.entries())
    for (const [other, otherSize] of sizes.entries()) {
      if (other <= column) continue
      for (let choice = 0; choice < size; choice += 1)
        for (let otherChoice = 0; otherChoice < otherSize; otherChoice += 1) missing.add(name(column, choice, other, otherChoice))
    }
  const gain = (row: readonly (number | undefined)[], column: number, choice: number): string[] =>
    row.flatMap((chosen, at) => {
      if (chosen === undefined || at === column) return []
      const pair = at < column ? name(at, chosen, column, choice) : name(column, choice, at, chosen)
      return missing.has(pair) ? [pair] : []
    })
  const rows: number[][] = []
  for (const first of missing) {
    if (!missing.has(first)) continue
    const [one = '', two = ''] = first.split(' ')
    const row: (number | undefined)[] = sizes.map(() => undefined)
    for (const [column = 0, choice = 0] of [one, two].map((text) => text.split('.').map(Number))) row[column] = choice
    for (const [column, size] of sizes.entries()) {
      if (row[column] !== undefined) continue
      // Where nothing is gained, rows take turns, so that no choice is always the same.
      const choices = Array.from({ length: size }, (_, at) => (at + rows.length) % size)
      row[column] = choices.reduce((best, next) => (gain(row, column, next).length > gain(row, column, best).length ? next : best))
    }
    const whole = row.map((choice) => choice ?? 0)
    for (const [column, choice] of whole.entries()) for (const pair of gain(whole, column, choice)) missing.delete(pair)
    rows.push(whole)
  }
  return rows
}
