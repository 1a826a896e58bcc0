import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = new URL('..', import.meta.url).pathname
/** Three compilations, on a machine that does other things as well. */
const COMPILE_MS = 600_000
let copy: string

const run = (command: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
const newProvider = (...args: readonly string[]) => run(process.execPath, 'scripts/new-provider.ts', ...args)
const read = (path: string): string => readFileSync(join(copy, path), 'utf8')

const MARK = '// written before the product speaks to it'

/** Leaves only the sandbox's part of a new provider, changed by hand. */
const addStandIn = (name: string, file: string): void => {
  expect(newProvider(name)).toMatchObject({ status: 0 })
  writeFileSync(join(copy, file), `${MARK}\n${read(file)}`)
  for (const entry of ['server', 'portal', 'docs']) {
    rmSync(join(copy, entry), { recursive: true })
    copyEntry(entry)
  }
}

const isSource = (path: string): boolean => !/node_modules|\/dist(\/|$)|\/\.(git|test|data)(\/|$)/.test(path.slice(root.length - 1))
const copyEntry = (entry: string): void => cpSync(join(root, entry), join(copy, entry), { recursive: true, filter: isSource })

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'counterfoil-new-provider-'))
  for (const entry of ['contract', 'server', 'portal', 'sandbox', 'scripts', 'docs', 'package.json', 'tsconfig.base.json']) copyEntry(entry)
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true }))

test('a name that the contract does not list writes nothing', () => {
  const before = read('server/src/payments/providers/registry.ts')
  expect(newProvider('paypal')).toMatchObject({ status: 1, output: expect.stringContaining('There is no provider "paypal"') })
  expect(newProvider()).toMatchObject({ status: 1, output: expect.stringContaining('Usage: npm run new:provider NAME') })
  expect(read('server/src/payments/providers/registry.ts')).toBe(before)
})

test('a provider that is there is left alone', () => {
  const before = read('server/src/payments/providers/stripe/stripe.ts')
  expect(newProvider('stripe')).toMatchObject({ status: 1, output: expect.stringContaining('is there already') })
  expect(read('server/src/payments/providers/stripe/stripe.ts')).toBe(before)
})

test(
  'two new providers, one with a stand-in already, are in every list, and the project compiles with them',
  () => {
    const standIn = 'sandbox/src/pinch/pinch.ts'
    addStandIn('pinch', standIn)
    for (const name of ['pinch', 'bpoint']) {
      expect(newProvider(name)).toMatchObject({ status: 0 })
      expect(read('server/src/payments/providers/registry.ts')).not.toContain(`${name}: notBuilt`)
      expect(read('portal/src/payments/providers/registry.ts')).toContain(`import('./${name}/method-lists.ts')`)
      expect(read('sandbox/src/app.ts')).toContain(`prefix: '/${name}'`)
      expect(read('docs/providers.md')).toContain(`server/src/payments/providers/${name}/README.md`)
    }
    expect(read(standIn)).toContain(MARK)
    for (const project of ['sandbox', 'server', 'portal'])
      expect(run('node_modules/.bin/tsc', '--noEmit', '-p', project), project).toMatchObject({ status: 0, output: '' })
  },
  COMPILE_MS,
)
