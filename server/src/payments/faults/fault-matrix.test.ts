import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type TestHouse, testHouse } from '../../test-house.ts'
import { addFamily } from '../../test-people.ts'
import type { PayerIds } from '../payments-house.ts'
import { crashPoints, everyBehaviour, type FaultCase, pairwise } from './fault-cases.ts'
import { connectCompany, runCase } from './run-case.ts'

/** Which part of the whole matrix to run, as `npm run test:faults` says; without it, the pairwise share. */
const whole = process.env['FAULTS_SHARD']
const stateFile = process.env['FAULTS_STATE'] ?? ''
/** So many crash points of one behaviour at most: a crowd of fifty has hundreds of effects that are alike. */
const MOST_POINTS = Number(process.env['FAULTS_POINTS'] ?? 200)
/** So many effects a single payment has in which crashes are tried pairwise. */
const EFFECTS = 14

let house: TestHouse
let payer: PayerIds

beforeAll(async () => {
  house = await testHouse()
  payer = await addFamily(house, { reseller: { payment_type: 10, payments_enabled: true, payments_bulk: true } })
  await connectCompany(house, payer.resellerId)
})
afterAll(() => house.close())

const nameOf = ({ company, client, notices, shape, crash }: FaultCase): string =>
  `${company} / ${client} / notices ${notices} / ${shape} / ${crash === null ? 'no crash' : `crash ${crash.when} effect ${crash.effect}`}`

interface Sums {
  done: number
  cases: number
  double: number
  lost: number
  stuck: number
  wrong: string[]
  ms: number
}

const sums = (): Sums => ({ done: 0, cases: 0, double: 0, lost: 0, stuck: 0, wrong: [], ms: 0 })

const runInto = async (into: Sums, one: FaultCase): Promise<number> => {
  const begun = performance.now()
  const { wrong, double, lost, stuck, effects } = await runCase(house, payer, one)
  into.cases += 1
  into.double += double
  into.lost += lost
  into.stuck += stuck
  into.ms += performance.now() - begun
  if (wrong.length > 0) into.wrong.push(`${nameOf(one)}: ${wrong.join('; ')}`)
  return effects
}

const readState = (): Sums => {
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8')) as Sums
  } catch {
    return sums()
  }
}

test.runIf(whole === undefined)(
  '[PAY-01] every two of crash point, company, payer, notices: never twice, never lost, never stuck',
  async () => {
    const all = pairwise(EFFECTS)
    // The embedded database gets all of them, the server a part: it is the races that differ there.
    const cases = inject('testDatabase').kind === 'embedded' ? all : all.filter((_, at) => at % 4 === 0)
    const found = sums()
    for (const one of cases) await runInto(found, one)
    console.log(`fault matrix, pairwise: ${found.cases} cases in ${Math.round(found.ms / 1_000)} s`)
    expect(found).toMatchObject({ cases: cases.length, double: 0, lost: 0, stuck: 0, wrong: [] })
  },
  600_000,
)

test.runIf(whole !== undefined)(
  '[PAY-01] the whole matrix',
  async () => {
    const [shard = 1, shards = 1] = (whole ?? '').split('/').map(Number)
    const mine = everyBehaviour().filter((_, at) => at % shards === shard - 1)
    const found = readState()
    for (const behaviour of mine.slice(found.done)) {
      const effects = await runInto(found, behaviour)
      for (const crash of crashPoints(effects, MOST_POINTS)) await runInto(found, { ...behaviour, crash })
      found.done += 1
      if (stateFile !== '') writeFileSync(stateFile, JSON.stringify(found))
    }
    expect(found).toMatchObject({ double: 0, lost: 0, stuck: 0, wrong: [] })
  },
  86_400_000,
)
