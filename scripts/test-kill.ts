/** `npm run test:kill`: servers that are killed in the middle of payments: `--kills 300 --database embedded --provider NAME`; the first provider and both databases unless said. */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '300' }, database: { type: 'string', multiple: true }, provider: { type: 'string' } },
})
const projects = (values.database ?? ['embedded', 'postgres']).flatMap((name) => ['--project', name])
const { status } = spawnSync('node_modules/.bin/vitest', ['run', ...projects, 'server/test/payments/fault-injection/kill.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, KILLS: values.kills, ...(values.provider === undefined ? {} : { KILL_PROVIDER: values.provider }) },
})
process.exit(status ?? 1)
