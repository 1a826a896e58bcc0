/**
 * `npm test`: everything that continuous integration runs: types, lint, format, rooms, unused code, then every test
 * (contract, portal, sandbox, server on both databases, browser). Ends with the count on a line of its own.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { buildPortal } from './portal-build.ts'

const REPORT = '.test/report.json'

const run = (command: string, args: readonly string[]): boolean => spawnSync(command, args, { stdio: 'inherit' }).status === 0

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numFailedTestSuites: number
}

const checked = run('npm', ['run', '--silent', 'check'])
await buildPortal()
mkdirSync('.test', { recursive: true })
rmSync(REPORT, { force: true })
const passed = run('node_modules/.bin/vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`])
const report = JSON.parse(readFileSync(REPORT, 'utf8')) as Report
if (!checked) console.error('\nThe checks before the tests failed: see the top of this output.')
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : ''
console.log(`\n${report.numPassedTests} passed, ${report.numFailedTests} failed${skipped}`)
process.exit(checked && passed ? 0 : 1)
