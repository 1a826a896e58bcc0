/** `npm run test:kill`: servers that are killed in the middle of payments, 300 times on each database: `--kills 300 --database embedded`. */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { kills: { type: 'string', default: '300' }, database: { type: 'string', multiple: true } } })
const projects = (values.database ?? ['embedded', 'postgres']).flatMap((name) => ['--project', name])
const { status } = spawnSync('node_modules/.bin/vitest', ['run', ...projects, 'server/test/payments/fault-injection/kill.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, KILLS: values.kills },
})
process.exit(status ?? 1)
