import type { CrashPlan } from './crashing-server.ts'

/** How the provider answers the first charge; all further ones succeed. */
const PROVIDER_BEHAVIOURS = [
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

/** How payers behave. */
const CLIENT_BEHAVIOURS = [
  'once',
  'double click',
  'fifty at once',
  'again, same key',
  'again, new key',
  'two tabs',
  'walks away',
  'link and bulk',
] as const

/** How the provider's webhooks behave. */
const WEBHOOK_BEHAVIOURS = [
  'lost',
  'normal',
  'before the answer',
  'made known before the answer',
  'made known after the answer',
  'twice at once',
  'out of order',
  'days late',
  'forged',
] as const

/**
 * Whether the provider creates a payment before confirming it and can cancel it, or has a single call; with a lagging list, what was
 * charged is found only minutes later, and there are providers of which finding nothing never proves that nothing was charged.
 */
const PROVIDER_SHAPES = ['two steps', 'one call', 'one call, lagging list', 'one call, absence proves nothing'] as const

/**
 * What happens beside the payment: its server stands still for hours before a step, or a clock differs; the account, the amount, the fee, the
 * consent or the method is changed between claim and call; money goes back before anybody has heard that it arrived; the payer's browser
 * never gets the answer.
 */
const MISFORTUNES = [
  'nothing else',
  'frozen before it is prepared',
  'frozen before the fence',
  'frozen after the fence',
  'a clock ahead',
  'account exchanged',
  'amount lowered',
  'paid elsewhere',
  'fee raised',
  'consent withdrawn',
  'method removed',
  'voided',
  'refunded',
  'refunded in part',
  'charged back',
  'answer lost',
] as const

export interface FaultCase {
  readonly provider: (typeof PROVIDER_BEHAVIOURS)[number]
  readonly client: (typeof CLIENT_BEHAVIOURS)[number]
  readonly webhooks: (typeof WEBHOOK_BEHAVIOURS)[number]
  readonly shape: (typeof PROVIDER_SHAPES)[number]
  readonly meanwhile: (typeof MISFORTUNES)[number]
  readonly crash: CrashPlan | null
}

const CRASH_TIMES = ['before', 'unheard', 'after'] as const

/** Every crash point of a run with this many side effects, in order. */
export const crashPoints = (effects: number): CrashPlan[] =>
  Array.from({ length: effects }, (_, at) => CRASH_TIMES.map((when): CrashPlan => ({ effect: at + 1, when }))).flat()

/** The name by which a case can be run alone. */
export const caseName = (faultCase: FaultCase): string => {
  const { crash } = faultCase
  return `${behaviourName(faultCase)} / ${crash === null ? 'no crash' : `crash ${crash.when} effect ${crash.effect}`}`
}

const behaviourName = ({ provider, client, webhooks, shape, meanwhile }: FaultCase): string =>
  `${provider} / ${client} / webhooks ${webhooks} / ${shape}${meanwhile === 'nothing else' ? '' : ` / ${meanwhile}`}`

/**
 * The case of that name.
 * @throws Error where there is none
 */
export const findCase = (name: string): FaultCase => {
  const cut = name.lastIndexOf(' / ')
  const behaviour = combine(MISFORTUNES).find((faultCase) => behaviourName(faultCase) === name.slice(0, cut))
  const point = /^crash (before|unheard|after) effect (\d+)$/.exec(name.slice(cut + 3))
  if (behaviour === undefined || (point === null && !name.endsWith(' / no crash'))) throw new Error(`there is no case "${name}"`)
  return point === null ? behaviour : { ...behaviour, crash: { when: point[1] as CrashPlan['when'], effect: Number(point[2]) } }
}

/** A provider with a single call has no page on which a payer could confirm. */
const isPossible = ({ shape, provider }: FaultCase): boolean => shape === 'two steps' || provider !== 'asks the payer'

const combine = (misfortunes: readonly FaultCase['meanwhile'][]): FaultCase[] =>
  misfortunes
    .flatMap((meanwhile) =>
      PROVIDER_SHAPES.flatMap((shape) =>
        PROVIDER_BEHAVIOURS.flatMap((provider) =>
          CLIENT_BEHAVIOURS.flatMap((client) =>
            WEBHOOK_BEHAVIOURS.map((webhooks) => ({ provider, client, webhooks, shape, meanwhile, crash: null })),
          ),
        ),
      ),
    )
    .filter(isPossible)

/**
 * Every combination without a crash in which nothing else happens, and every misfortune with every behaviour of a provider, of payers who
 * try again, with webhooks and without.
 */
export const everyBehaviour = (): FaultCase[] => [
  ...combine(['nothing else']),
  ...combine(MISFORTUNES.filter((meanwhile) => meanwhile !== 'nothing else')).filter(
    ({ client, webhooks }) => client === 'again, new key' && (webhooks === 'normal' || webhooks === 'lost'),
  ),
]

/** Few cases that cover every pair of behaviours and crash points. */
export const pairwise = (effects: number): FaultCase[] => {
  const crashes = [null, ...crashPoints(effects)]
  const sizes = [PROVIDER_BEHAVIOURS, CLIENT_BEHAVIOURS, WEBHOOK_BEHAVIOURS, PROVIDER_SHAPES, MISFORTUNES, crashes].map(
    ({ length }) => length,
  )
  return coveringRows(sizes)
    .map(([provider = 0, client = 0, webhooks = 0, shape = 0, meanwhile = 0, crash = 0]) => ({
      provider: PROVIDER_BEHAVIOURS[provider] ?? 'ok',
      client: CLIENT_BEHAVIOURS[client] ?? 'once',
      webhooks: WEBHOOK_BEHAVIOURS[webhooks] ?? 'lost',
      shape: PROVIDER_SHAPES[shape] ?? 'two steps',
      meanwhile: MISFORTUNES[meanwhile] ?? 'nothing else',
      crash: crashes[crash] ?? null,
    }))
    .map((faultCase): FaultCase => (isPossible(faultCase) ? faultCase : { ...faultCase, shape: 'two steps' }))
}

/** Two choices of different columns as one text, the first column first. */
const pairKey = (column: number, choice: number, other: number, otherChoice: number): string =>
  `${column}.${choice} ${other}.${otherChoice}`

/** Rows that cover every pair of choices of different columns, filled greedily. */
const coveringRows = (sizes: readonly number[]): number[][] => {
  const missing = new Set<string>()
  for (const [column, size] of sizes.entries())
    for (const [other, otherSize] of sizes.entries()) {
      if (other <= column) continue
      for (let choice = 0; choice < size; choice += 1)
        for (let otherChoice = 0; otherChoice < otherSize; otherChoice += 1) missing.add(pairKey(column, choice, other, otherChoice))
    }
  const newPairs = (row: readonly (number | undefined)[], column: number, choice: number): string[] =>
    row.flatMap((chosen, at) => {
      if (chosen === undefined || at === column) return []
      const pair = at < column ? pairKey(at, chosen, column, choice) : pairKey(column, choice, at, chosen)
      return missing.has(pair) ? [pair] : []
    })
  const rows: number[][] = []
  for (const first of missing) {
    if (!missing.has(first)) continue
    const [one = '', other = ''] = first.split(' ')
    const row: (number | undefined)[] = sizes.map(() => undefined)
    for (const [column = 0, choice = 0] of [one, other].map((text) => text.split('.').map(Number))) row[column] = choice
    for (const [column, size] of sizes.entries()) {
      if (row[column] !== undefined) continue
      // Where nothing is gained, rotate, so that no choice dominates.
      const choices = Array.from({ length: size }, (_, at) => (at + rows.length) % size)
      row[column] = choices.reduce((best, next) => (newPairs(row, column, next).length > newPairs(row, column, best).length ? next : best))
    }
    const whole = row.map((choice) => choice ?? 0)
    for (const [column, choice] of whole.entries()) for (const pair of newPairs(whole, column, choice)) missing.delete(pair)
    rows.push(whole)
  }
  return rows
}
