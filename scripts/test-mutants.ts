/**
 * `npm run test:mutants`: plants mistakes in a copy of the payments engine and the adapters, one at a time, and runs the tests that must
 * notice it. Fails when a mistake survives without a stated reason. `--only TEXT` runs those whose name or file contains it, and can be repeated.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ALL_MUTANTS } from './mutants/all-mutants.ts'
import type { Mutant } from './mutants/mutant.ts'

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: [''] } },
})

const ROOT = resolve(import.meta.dirname, '..')
const COPY = join(ROOT, '.test', 'mutants')
const COPIED = ['contract', 'server', 'portal', 'sandbox', 'scripts', 'package.json', 'tsconfig.base.json', 'vitest.config.ts']
const DATABASES = ['postgres', 'embedded'] as const
/** A mutant may make a test wait for ever. */
const MAX_RUN_MS = 300_000

/** Copies the sources and links their dependencies, so that nothing is planted where somebody works. */
const copySources = (): void => {
  rmSync(COPY, { recursive: true, force: true })
  mkdirSync(COPY, { recursive: true })
  for (const name of COPIED.filter((name) => existsSync(join(ROOT, name))))
    cpSync(join(ROOT, name), join(COPY, name), {
      recursive: true,
      filter: (path) => !/\/(node_modules|\.test|\.counterfoil)(\/|$)/.test(relative(ROOT, path)),
    })
  for (const name of ['.', ...COPIED].filter((name) => existsSync(join(ROOT, name, 'node_modules'))))
    symlinkSync(join(ROOT, name, 'node_modules'), join(COPY, name, 'node_modules'))
}

const runTests = (tests: readonly string[]): { readonly hasPassed: boolean; readonly output: string } => {
  const files = tests.map((test) => join('server', test))
  // Some tests run on one of the databases only. A run without tests fails too, and must not count as a mistake that was noticed.
  for (const database of DATABASES) {
    const run = runOn(database, files)
    if (!run.output.includes('No test files found')) return run
  }
  throw new Error(`No database runs ${files.join(', ')}.`)
}

const runOn = (database: string, files: readonly string[]): { readonly hasPassed: boolean; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync('node_modules/.bin/vitest', ['run', '--project', database, '--bail', '1', ...files], {
    cwd: COPY,
    encoding: 'utf8',
    timeout: MAX_RUN_MS,
    killSignal: 'SIGKILL',
  })
  return { hasPassed: status === 0, output: `${stdout}${stderr}` }
}

/** @returns whether a test noticed the mistake */
const runMutant = ({ file, from, to, tests, mistake }: Mutant): boolean => {
  const path = join(COPY, 'server', 'src', 'payments', file)
  const source = readFileSync(path, 'utf8')
  if (source.split(from).length !== 2)
    throw new Error(`${file}: "${mistake}" must stand once; it stands ${source.split(from).length - 1} times`)
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  try {
    return tests.some((test) => !runTests([test]).hasPassed)
  } finally {
    writeFileSync(path, source)
  }
}

const mutants = ALL_MUTANTS.filter(({ mistake, file }) => values.only.some((text) => mistake.includes(text) || file.includes(text)))
copySources()
for (const test of new Set(mutants.flatMap(({ tests }) => tests))) {
  const { hasPassed, output } = runTests([test])
  if (!hasPassed) throw new Error(`The tests must pass before anything is planted:\n${output}`)
}

const survivors: Mutant[] = []
const startedAt = Date.now()
for (const [index, mutant] of mutants.entries()) {
  const isNoticed = runMutant(mutant)
  const outcome = isNoticed ? 'noticed' : mutant.survives === undefined ? 'SURVIVES' : `survives: ${mutant.survives}`
  console.log(`${index + 1}/${mutants.length}  ${mutant.file}: ${mutant.mistake}: ${outcome}`)
  if (!isNoticed) survivors.push(mutant)
}
const unexplained = survivors.filter(({ survives }) => survives === undefined)
const seconds = Math.round((Date.now() - startedAt) / 1_000)
console.log(
  `${mutants.length} mistakes planted in ${seconds} s: ${mutants.length - survivors.length} noticed, ${survivors.length - unexplained.length} explained, ${unexplained.length} unexplained`,
)
process.exitCode = unexplained.length === 0 ? 0 : 1
