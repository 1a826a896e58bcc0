import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { caseNamed, crashPoints, everyBehaviour, type FaultCase, nameOf, pairwise } from './fault-cases.ts'
import { type FaultContext, faultContext } from './fault-context.ts'
import { type CaseOutcome, runCase } from './run-case.ts'

/** What `npm run test:faults` asks for: a shard of the whole matrix, or one case. Without either, the pairwise share. */
const shard = process.env['FAULTS_SHARD']
const alone = process.env['FAULTS_CASE']
const stateFile = process.env['FAULTS_STATE'] ?? ''
const pauseFile = process.env['FAULTS_PAUSE'] ?? ''
/** So many effects a single payment has in which crashes are tried pairwise. */
const EFFECTS = 10

let bench: FaultContext

beforeAll(async () => {
  bench = await faultContext()
})
afterAll(() => bench.context.close())

interface Sums {
  /** Behaviours of the shard that are done with. */
  done: number
  cases: number
  double: number
  lost: number
  stuck: number
  /** Cases whose crash point this run did not come to: where fifty run at once, another order has fewer effects. */
  unreached: number
  wrong: string[]
  ms: number
}

const sums = (): Sums => ({ done: 0, cases: 0, double: 0, lost: 0, stuck: 0, unreached: 0, wrong: [], ms: 0 })

const runInto = async (into: Sums, one: FaultCase): Promise<number> => {
  const begun = performance.now()
  const { wrong, double, lost, stuck, effects, hasCrashed } = await runCase(bench.context, bench.payer, one).catch(brokenOff)
  into.cases += 1
  into.double += double
  into.lost += lost
  into.stuck += stuck
  into.unreached += one.crash !== null && !hasCrashed ? 1 : 0
  if (wrong.length > 0) into.wrong.push(`${nameOf(one)}: ${wrong.join('; ')}`)
  await bench.swept(wrong.length > 0)
  into.ms += performance.now() - begun
  return effects
}

/** A case that broke off is wrong, and the others are run all the same. */
const brokenOff = (error: unknown): CaseOutcome => ({
  wrong: [`it broke off: ${error instanceof Error ? error.message : 'for no reason'}`],
  double: 0,
  lost: 0,
  stuck: 0,
  effects: 0,
  hasCrashed: false,
})

const readState = (): Sums => (existsSync(stateFile) ? (JSON.parse(readFileSync(stateFile, 'utf8')) as Sums) : sums())

/** Somebody measures on this machine while the file is there. */
const pause = async (): Promise<void> => {
  while (existsSync(pauseFile)) await setTimeout(1_000)
}

test.runIf(shard === undefined && alone === undefined)(
  '[PAY-01] every two of crash point, company, payer, notices: never twice, never lost, never stuck',
  async () => {
    const all = pairwise(EFFECTS)
    // The embedded database gets all of them, the server every second: it is the races that differ there.
    const cases = inject('testDatabase').kind === 'embedded' ? all : all.filter((_, at) => at % 2 === 0)
    const found = sums()
    for (const one of cases) await runInto(found, one)
    console.log(`fault matrix, pairwise: ${found.cases} cases in ${Math.round(found.ms / 1_000)} s, ${found.unreached} without a crash`)
    expect(found).toMatchObject({ cases: cases.length, double: 0, lost: 0, stuck: 0, wrong: [] })
    expect(found.unreached).toBeLessThan(cases.length / 2)
  },
  600_000,
)

test.runIf(shard !== undefined)(
  '[PAY-01] the whole matrix',
  async () => {
    const [part = 1, parts = 1] = (shard ?? '').split('/').map(Number)
    const mine = everyBehaviour().filter((_, at) => at % parts === part - 1)
    const found = readState()
    for (const behaviour of mine.slice(found.done)) {
      const effects = await runInto(found, behaviour)
      for (const crash of crashPoints(effects)) {
        await pause()
        await runInto(found, { ...behaviour, crash })
      }
      found.done += 1
      writeFileSync(stateFile, JSON.stringify(found))
    }
    expect(found).toMatchObject({ double: 0, lost: 0, stuck: 0, wrong: [] })
  },
  86_400_000,
)

test.runIf(alone !== undefined)('[PAY-01] one case', async () => {
  const found = sums()
  await runInto(found, caseNamed(alone ?? ''))
  expect(found).toMatchObject({ double: 0, lost: 0, stuck: 0, unreached: 0, wrong: [] })
})
