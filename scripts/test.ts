/**
 * `npm test`: everything that continuous integration runs: types, lint, format, documents, unused code, then every test
 * (contract, portal, sandbox, server, browser). Says first how long it takes, then a line for each finished file, last how long each part
 * took and the count. `npm run test:full` (`--full`) is what a release runs: every server test on both databases, and what `npm test`
 * runs in part at full size (vitest.config.ts and `isFull` say what).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { hasPostgres } from '../server/test/databases/postgres-binaries.ts'
import { useMemory } from './memory-folder.ts'
import { buildPortal } from './portal-build.ts'
import { bundleServer } from './server-bundle.ts'

const isFull = process.argv.includes('--full')
if (isFull) process.env['FULL'] = '1'

const REPORT = '.test/report.json'
const LINES_OF_A_FAILURE = 12
const DID_NOT_FINISH = 'The file did not finish: its process ended. What Node printed stands above.'

/** Runs a command to its end. One that is stopped ends this process too, and the other way round. */
const run = async (command: string, args: readonly string[]): Promise<boolean> => {
  const child = spawn(command, args, { stdio: 'inherit' })
  const stop = (): boolean => child.kill()
  process.on('exit', stop)
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  process.off('exit', stop)
  if (signal !== null) process.exit(1)
  return code === 0
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

interface Counts {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
}

interface Report extends Counts {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** More than these would use up the connections of the test's PostgreSQL. */
const MAX_CORES = 4
const CORES = Math.min(availableParallelism(), MAX_CORES)
/**
 * A server test waits a quarter of its time: for its database, a timer, a program that starts. A browser never waits, and one more than
 * there are cores would only slow the others.
 */
const WORKERS = { server: CORES + 1, browser: CORES } as const

/** Runs these projects and gives what became of their tests. */
const tests = async (workers: number, projects: readonly string[]): Promise<Report & { readonly passed: boolean }> => {
  rmSync(REPORT, { force: true })
  const named = projects.flatMap((project) => ['--project', project])
  const passed = await run('node_modules/.bin/vitest', [
    'run',
    ...named,
    `--maxWorkers=${workers}`,
    '--reporter=./scripts/progress-reporter.ts',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
  ])
  return { ...(JSON.parse(readFileSync(REPORT, 'utf8')) as Report), passed }
}

/** The first lines of a text, and of each what a person reads. */
const firstLines = (text: string): string =>
  text
    .split('\n')
    .slice(0, LINES_OF_A_FAILURE)
    .map((line) => line.slice(0, 300))
    .join('\n  ')

/** The failed tests of a report with the first lines of why, and the files that failed outside of a test. */
const failures = (report: Report): string[] =>
  report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    const reasons = failed.map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`)
    const shown = reasons.length === 0 && file.status === 'failed' ? [file.message || DID_NOT_FINISH] : reasons
    return shown.map((reason) => `FAILED ${file.name}\n  ${firstLines(reason)}`)
  })

console.log(
  isFull
    ? 'Every test, at full size.'
    : '15 to 25 minutes on two cores, by how fast they are. The parts alone: npm run check, npm run test:unit, npm run test:api, npm run e2e.',
)
const durations: string[] = []
/** Runs a part and records how long it took. */
const timePart = async <T>(part: string, act: () => T | Promise<T>): Promise<T> => {
  const startedAt = performance.now()
  const result = await act()
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  durations.push(`${part} ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`)
  return result
}

const checked = await timePart('checks', () => run('npm', ['run', '--silent', 'check']))
useMemory()
// Programs that the tests start by the hundred are compiled once.
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/counterfoil-tests')
await timePart('build', async () => {
  await buildPortal()
  await bundleServer()
})
mkdirSync('.test', { recursive: true })
const withPostgres = hasPostgres()
// The browser comes last and alone: a person waits for one product, not for two databases beside it.
const runs = [
  await timePart('units and server', () =>
    tests(WORKERS.server, ['contract', 'portal', 'sandbox', 'embedded', ...(withPostgres ? ['postgres'] : [])]),
  ),
  ...(process.env['TEST_CITUS_URL'] === undefined ? [] : [await timePart('server on Citus', () => tests(WORKERS.server, ['citus']))]),
  await timePart('browser', () => tests(WORKERS.browser, ['e2e'])),
]
const sum = (figure: keyof Counts): number => runs.reduce((total, one) => total + one[figure], 0)

// Once more at the end, because a log is often cut to its last lines.
for (const failure of runs.flatMap(failures)) console.error(`\n${failure}`)
if (!checked) console.error('\nThe checks before the tests failed: see the top of this output.')
if (!withPostgres) console.warn('\nLEFT OUT: the tests on PostgreSQL, because this machine has no PostgreSQL server.')
console.log(`\nMinutes: ${durations.join(', ')}`)
if (!isFull)
  console.log('A release is also shown by npm run test:full: every server test on both databases, and what ran in part at full size.')
const skipped = sum('numPendingTests') > 0 ? `, ${sum('numPendingTests')} skipped` : ''
console.log(`\n${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed${skipped}`)
process.exit(checked && runs.every(({ passed }) => passed) ? 0 : 1)
