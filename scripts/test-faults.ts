/**
 * `npm run test:faults`: every behaviour of company, payer and notices with every crash point of its run, hours of it. In shards, and
 * going on where it was stopped: `--shard 1/8 --state .test/faults-1.json --database embedded|postgres --points 200`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    shard: { type: 'string', default: '1/1' },
    state: { type: 'string' },
    database: { type: 'string', default: 'embedded' },
    points: { type: 'string', default: '200' },
  },
})
const [shard = 0, shards = 0] = values.shard.split('/').map(Number)
if (!(shard >= 1 && shards >= shard)) throw new Error('--shard is one of so many, such as 1/8')
const state = values.state ?? `.test/faults-${values.database}-${values.shard.replace('/', '-of-')}.json`
mkdirSync(dirname(state), { recursive: true })
const { status } = spawnSync(
  'node_modules/.bin/vitest',
  ['run', '--project', values.database, 'server/src/payments/faults/fault-matrix.test.ts'],
  { stdio: 'inherit', env: { ...process.env, FAULTS_SHARD: values.shard, FAULTS_STATE: state, FAULTS_POINTS: values.points } },
)
if (existsSync(state)) {
  const { cases, double, lost, stuck, ms, wrong } = JSON.parse(readFileSync(state, 'utf8')) as Record<string, number> & { wrong: string[] }
  console.log(
    `${cases} cases in ${Math.round((ms ?? 0) / 1_000)} s: paid twice ${double}, lost ${lost}, stuck ${stuck}, wrong ${wrong.length}`,
  )
}
process.exit(status ?? 1)
