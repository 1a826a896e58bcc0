/**
 * `npm run test:faults`: the payments engine's fault tests at full size (docs/payments.md), which takes hours; `npm test` runs a small part
 * of each. Runs all suites, or those that are named: `--suite model --suite races --database postgres --runs 500`.
 * The matrix can be split into shards and resumes from its state file: `--suite matrix --shard 1/2`. A failed case prints its name,
 * with which it can be run alone: `--case NAME`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'

const FAULT_MATRIX = 'server/test/payments/fault-injection/fault-matrix.test.ts'

/** Each suite's file and its number of runs at full size; null when the suite determines it. */
const SUITES: Readonly<Record<string, { readonly file: string; readonly runs: number | null }>> = {
  matrix: { file: FAULT_MATRIX, runs: null },
  notices: { file: 'server/test/payments/fault-injection/webhook-order.test.ts', runs: 10_000 },
  model: { file: 'server/test/payments/fault-injection/payment-model.test.ts', runs: 3_000 },
  races: { file: 'server/test/payments/fault-injection/payment-races.test.ts', runs: 5_000 },
  double: { file: 'server/test/payments/fault-injection/double-submit.test.ts', runs: 20 },
  cited: { file: 'server/src/payments/engine/known-issues.test.ts', runs: null },
  providers: { file: 'server/test/payments/fault-injection/provider-faults.test.ts', runs: 112 },
  misfortunes: { file: 'server/test/payments/fault-injection/provider-misfortunes.test.ts', runs: 100 },
  reconcile: { file: 'server/test/payments/fault-injection/reconcile-many.test.ts', runs: 10_000 },
  money: { file: 'server/src/payments/ledger/money-arithmetic.test.ts', runs: 100_000 },
}

const { values } = parseArgs({
  options: {
    suite: { type: 'string', multiple: true, default: Object.keys(SUITES) },
    database: { type: 'string', default: 'embedded' },
    runs: { type: 'string' },
    shard: { type: 'string', default: '1/1' },
    state: { type: 'string' },
    case: { type: 'string' },
    /** The matrix waits while this file exists. */
    pause: { type: 'string', default: '' },
  },
})
const [shard = 0, shards = 0] = values.shard.split('/').map(Number)
if (!(shard >= 1 && shards >= shard)) throw new Error('--shard must be like 1/8')
const state = values.state ?? `.test/faults-${values.database}-${values.shard.replace('/', '-of-')}.json`

const run = (file: string, settings: Record<string, string>): boolean => {
  const { status } = spawnSync('node_modules/.bin/vitest', ['run', '--project', values.database, file], {
    stdio: 'inherit',
    env: { ...process.env, FULL: '1', ...settings },
  })
  return status === 0
}

const runMatrix = (file: string): boolean => {
  mkdirSync(dirname(state), { recursive: true })
  const hasPassed = run(file, { FAULTS_SHARD: values.shard, FAULTS_STATE: state, FAULTS_PAUSE: values.pause })
  if (existsSync(state)) {
    const result = JSON.parse(readFileSync(state, 'utf8')) as Record<string, number> & { problems: string[] }
    const { cases, double, lost, stuck, unreached, problems } = result
    const seconds = Math.round((result['ms'] ?? 0) / 1_000)
    console.log(`${cases} cases in ${seconds} s: paid twice ${double}, lost ${lost}, stuck ${stuck}, unreached ${unreached}`)
    for (const problem of problems) console.log(problem)
  }
  return hasPassed
}

const runCase = (name: string): boolean => run(FAULT_MATRIX, { FAULTS_CASE: name })

const runSuite = (name: string): boolean => {
  const suite = SUITES[name]
  if (suite === undefined) throw new Error(`there is no suite "${name}": ${Object.keys(SUITES).join(', ')}`)
  if (name === 'matrix') return runMatrix(suite.file)
  return run(suite.file, suite.runs === null ? {} : { FAULTS_RUNS: values.runs ?? String(suite.runs) })
}

const failed = values.case === undefined ? values.suite.filter((name) => !runSuite(name)) : runCase(values.case) ? [] : [values.case]
if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`)
process.exit(failed.length > 0 ? 1 : 0)
