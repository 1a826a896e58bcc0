/**
 * `npm run test:faults`: the payments engine's proofs at their full size (docs/payments.md), hours of it; each has a small share in
 * `npm test`. One after the other, or those that are named: `--suite model --suite races --database postgres --runs 500`.
 * The matrix goes in shards, and goes on where it was stopped, from its state file: `--suite matrix --shard 1/2`. A case that fails says
 * its name, and can be run alone: `--case "ok / once / notices lost / two steps / crash before effect 3"`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'

/** Each suite's file, and how many cases it has in full; null: as many as it counts by itself. */
const SUITES: Readonly<Record<string, { readonly file: string; readonly runs: number | null }>> = {
  matrix: { file: 'test/payments/fault-injection/fault-matrix.test.ts', runs: null },
  notices: { file: 'test/payments/fault-injection/webhook-order.test.ts', runs: 10_000 },
  model: { file: 'test/payments/fault-injection/payment-model.test.ts', runs: 3_000 },
  races: { file: 'test/payments/fault-injection/payment-races.test.ts', runs: 5_000 },
  double: { file: 'test/payments/fault-injection/double-submit.test.ts', runs: 20 },
  cited: { file: 'src/payments/engine/known-issues.test.ts', runs: null },
  reconcile: { file: 'test/payments/fault-injection/reconcile-many.test.ts', runs: 10_000 },
  money: { file: 'src/payments/engine/money-arithmetic.test.ts', runs: 100_000 },
}

const { values } = parseArgs({
  options: {
    suite: { type: 'string', multiple: true, default: Object.keys(SUITES) },
    database: { type: 'string', default: 'embedded' },
    runs: { type: 'string' },
    shard: { type: 'string', default: '1/1' },
    state: { type: 'string' },
    case: { type: 'string' },
    /** While this file is there, the matrix waits: somebody measures on the same machine. */
    pause: { type: 'string', default: '' },
  },
})
const [shard = 0, shards = 0] = values.shard.split('/').map(Number)
if (!(shard >= 1 && shards >= shard)) throw new Error('--shard is one of so many, such as 1/8')
const state = values.state ?? `.test/faults-${values.database}-${values.shard.replace('/', '-of-')}.json`

const run = (file: string, settings: Record<string, string>): boolean => {
  const { status } = spawnSync('node_modules/.bin/vitest', ['run', '--project', values.database, `server/${file}`], {
    stdio: 'inherit',
    env: { ...process.env, ...settings },
  })
  return status === 0
}

const runMatrix = (file: string): boolean => {
  mkdirSync(dirname(state), { recursive: true })
  const isGood = run(file, { FAULTS_SHARD: values.shard, FAULTS_STATE: state, FAULTS_PAUSE: values.pause })
  if (existsSync(state)) {
    const found = JSON.parse(readFileSync(state, 'utf8')) as Record<string, number> & { problems: string[] }
    const { cases, double, lost, stuck, unreached, problems } = found
    const seconds = Math.round((found['ms'] ?? 0) / 1_000)
    console.log(`${cases} cases in ${seconds} s: paid twice ${double}, lost ${lost}, stuck ${stuck}, unreached ${unreached}`)
    for (const problem of problems) console.log(problem)
  }
  return isGood
}

const runCase = (name: string): boolean => run('test/payments/fault-injection/fault-matrix.test.ts', { FAULTS_CASE: name })

const runSuite = (name: string): boolean => {
  const suite = SUITES[name]
  if (suite === undefined) throw new Error(`there is no suite "${name}": ${Object.keys(SUITES).join(', ')}`)
  if (name === 'matrix') return runMatrix(suite.file)
  return run(suite.file, suite.runs === null ? {} : { FAULTS_RUNS: values.runs ?? String(suite.runs) })
}

const bad = values.case === undefined ? values.suite.filter((name) => !runSuite(name)) : runCase(values.case) ? [] : [values.case]
if (bad.length > 0) console.error(`not as it should be: ${bad.join(', ')}`)
process.exit(bad.length > 0 ? 1 : 0)
