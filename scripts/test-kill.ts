/**
 * `npm run test:kill`: servers that are killed in the middle of payments: `--kills 300 --database embedded --provider NAME`; the first
 * provider and both databases unless said. `--all-providers --payments 1000`: so many payments through every provider at once, on two
 * servers with one PostgreSQL database.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    database: { type: 'string', multiple: true },
    provider: { type: 'string' },
    'all-providers': { type: 'boolean', default: false },
    payments: { type: 'string', default: '1000' },
  },
})

const run = (databases: readonly string[], file: string, settings: Record<string, string>): number => {
  const projects = databases.flatMap((name) => ['--project', name])
  const { status } = spawnSync('node_modules/.bin/vitest', ['run', ...projects, `server/test/payments/killed-servers/${file}`], {
    stdio: 'inherit',
    env: { ...process.env, ...settings },
  })
  return status ?? 1
}

const status = values['all-providers']
  ? run(['postgres'], 'all-providers.test.ts', { KILL_PAYMENTS: values.payments })
  : run(values.database ?? ['embedded', 'postgres'], 'kill.test.ts', {
      KILLS: values.kills,
      ...(values.provider === undefined ? {} : { KILL_PROVIDER: values.provider }),
    })
process.exit(status)
