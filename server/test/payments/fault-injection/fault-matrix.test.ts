import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findCase, crashPoints, everyBehaviour, type FaultCase, caseName, pairwise } from './fault-cases.ts'
import { isFull } from '../../databases/full-run.ts'
import { type FaultContext, openFaultContext } from './fault-context.ts'
import { hasPostgres } from '../../databases/postgres-binaries.ts'
import { type CaseOutcome, runCase } from '../fault-matrix/run-case.ts'

/** Set by `npm run test:faults`: a shard of the whole matrix, or one case. Without either, the pairwise share. */
const shard = process.env['FAULTS_SHARD']
const singleCase = process.env['FAULTS_CASE']
const stateFile = process.env['FAULTS_STATE'] ?? ''
const pauseFile = process.env['FAULTS_PAUSE'] ?? ''
/** The side effects of a single payment in which crashes are tried pairwise. */
const EFFECTS = 10

let fixture: FaultContext

beforeAll(async () => {
  fixture = await openFaultContext()
})
afterAll(() => fixture.context.close())

interface Totals {
  /** Behaviours of the shard that are finished. */
  done: number
  cases: number
  double: number
  lost: number
  stuck: number
  /** Cases whose crash point was not reached: with fifty submits at once, another order has fewer side effects. */
  unreached: number
  problems: string[]
  ms: number
}

const emptyTotals = (): Totals => ({ done: 0, cases: 0, double: 0, lost: 0, stuck: 0, unreached: 0, problems: [], ms: 0 })

const runAndCount = async (totals: Totals, faultCase: FaultCase): Promise<number> => {
  const begun = performance.now()
  const { problems, double, lost, stuck, effects, hasCrashed } = await runCase(fixture.context, fixture.payer, faultCase).catch(
    toFailedCase,
  )
  totals.cases += 1
  totals.double += double
  totals.lost += lost
  totals.stuck += stuck
  totals.unreached += faultCase.crash !== null && !hasCrashed ? 1 : 0
  if (problems.length > 0) totals.problems.push(`${caseName(faultCase)}: ${problems.join('; ')}`)
  await fixture.cleanUp(problems.length > 0)
  totals.ms += performance.now() - begun
  return effects
}

/** A case that throws counts as wrong, and the others still run. */
const toFailedCase = (error: unknown): CaseOutcome => ({
  problems: [`it broke off: ${error instanceof Error ? error.message : 'for no reason'}`],
  double: 0,
  lost: 0,
  stuck: 0,
  effects: 0,
  hasCrashed: false,
})

const readState = (): Totals => (existsSync(stateFile) ? (JSON.parse(readFileSync(stateFile, 'utf8')) as Totals) : emptyTotals())

/** The file exists while something is measured on this machine. */
const pause = async (): Promise<void> => {
  while (existsSync(pauseFile)) await setTimeout(1_000)
}

test.runIf(shard === undefined && singleCase === undefined)(
  '[PAY-01] every two of crash point, provider, payer, webhooks: never twice, never lost, never stuck',
  async () => {
    const all = pairwise(EFFECTS)
    // Each case runs on one of the databases, at full size on both; the cases alternate.
    const turn = inject('testDatabase').kind === 'embedded' ? 1 : 0
    const cases = isFull || !hasPostgres() ? all : all.filter((_, at) => at % 2 === turn)
    const totals = emptyTotals()
    for (const faultCase of cases) await runAndCount(totals, faultCase)
    console.log(`fault matrix, pairwise: ${totals.cases} cases in ${Math.round(totals.ms / 1_000)} s, ${totals.unreached} without a crash`)
    expect(totals).toMatchObject({ cases: cases.length, double: 0, lost: 0, stuck: 0, problems: [] })
    expect(totals.unreached).toBeLessThan(cases.length / 2)
  },
  600_000,
)

test.runIf(shard !== undefined)(
  '[PAY-01] the whole matrix',
  async () => {
    const [part = 1, parts = 1] = (shard ?? '').split('/').map(Number)
    const mine = everyBehaviour().filter((_, at) => at % parts === part - 1)
    const totals = readState()
    for (const behaviour of mine.slice(totals.done)) {
      const effects = await runAndCount(totals, behaviour)
      for (const crash of crashPoints(effects)) {
        await pause()
        await runAndCount(totals, { ...behaviour, crash })
      }
      totals.done += 1
      writeFileSync(stateFile, JSON.stringify(totals))
    }
    expect(totals).toMatchObject({ double: 0, lost: 0, stuck: 0, problems: [] })
  },
  86_400_000,
)

test.runIf(singleCase !== undefined)('[PAY-01] one case', async () => {
  const totals = emptyTotals()
  await runAndCount(totals, findCase(singleCase ?? ''))
  expect(totals).toMatchObject({ double: 0, lost: 0, stuck: 0, unreached: 0, problems: [] })
})
