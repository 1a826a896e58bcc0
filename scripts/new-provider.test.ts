import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = new URL('..', import.meta.url).pathname
/** Four compilations, on a machine that does other things as well. */
const COMPILE_MS = 600_000
let copy: string

const run = (command: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
const newProvider = (...args: readonly string[]) => run(process.execPath, 'scripts/new-provider.ts', ...args)
const read = (path: string): string => readFileSync(join(copy, path), 'utf8')

const isSource = (path: string): boolean => !/node_modules|\/dist(\/|$)|\/\.(git|test|data)(\/|$)/.test(path.slice(root.length - 1))
const copyEntry = (entry: string): void => cpSync(join(root, entry), join(copy, entry), { recursive: true, filter: isSource })

const WORKSPACES = '@counterfoil'

/** The packages of the project, and the workspaces of the copy. */
const linkModules = (): void => {
  const [from, to] = [join(root, 'node_modules'), join(copy, 'node_modules')]
  mkdirSync(join(to, WORKSPACES), { recursive: true })
  for (const name of readdirSync(from)) if (name !== WORKSPACES) symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, WORKSPACES))) symlinkSync(join(copy, name), join(to, WORKSPACES, name))
}

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'counterfoil-new-provider-'))
  for (const entry of ['contract', 'server', 'portal', 'sandbox', 'scripts', 'docs', 'package.json', 'tsconfig.base.json']) copyEntry(entry)
  linkModules()
})
afterAll(() => rmSync(copy, { recursive: true }))

const REGISTRY = 'server/src/payments/providers/registry.ts'

test('a name or a payment type that cannot be used writes nothing', () => {
  const before = [read(REGISTRY), readdirSync(join(copy, 'server/src/migrations'))]
  for (const [args, text] of [
    [[], 'Usage: npm run new:provider NAME TYPE'],
    [['paylane'], 'Usage: npm run new:provider NAME TYPE'],
    [['../paylane', '12'], 'Usage: npm run new:provider NAME TYPE'],
    [['paylane', '0'], 'Usage: npm run new:provider NAME TYPE'],
    [['paylane', '8'], 'Payment type 8 is the provider "nexio".'],
    [['stripe', '12'], 'The provider "stripe" is there already.'],
  ] as const)
    expect(newProvider(...args)).toMatchObject({ status: 1, output: expect.stringContaining(text) })
  expect([read(REGISTRY), readdirSync(join(copy, 'server/src/migrations'))]).toEqual(before)
})

test(
  'two new providers are in every list, and the project compiles with them',
  () => {
    for (const [name, type] of [
      ['paylane', 12],
      ['tollgate', 11],
    ] as const) {
      expect(newProvider(name, String(type))).toMatchObject({ status: 0 })
      expect(newProvider(name, '13')).toMatchObject({ status: 1, output: expect.stringContaining('is there already') })
      expect(read('contract/src/kit/payments/payment-type.ts')).toContain(`${name}: ${type}`)
      expect(read(REGISTRY)).toContain(`  ${name},\n`)
      expect(read('portal/src/payments/providers/stored-methods-registry.ts')).toContain(`import('./${name}/method-lists.ts')`)
      expect(read('sandbox/src/providers.ts')).toContain(`prefix: '/${name}'`)
      expect(read('server/test/payments/providers/provider-drivers.ts')).toContain(
        `import { ${name.toUpperCase()} } from './${name}.driver.ts'`,
      )
      expect(read('docs/providers.md')).toContain(`| ${type} | [${name}](../server/src/payments/providers/${name}/README.md)`)
    }
    const [last = ''] = readdirSync(join(copy, 'server/src/migrations')).toSorted().slice(-1)
    expect(read(`server/src/migrations/${last}`)).toMatch(
      /check \(payment_type in \(0, 1, .*, 12, 11\)\)[^]*when 12 then 'paylane' when 11 then 'tollgate'/,
    )
    for (const project of ['contract', 'sandbox', 'server', 'portal'])
      expect(run('node_modules/.bin/tsc', '--noEmit', '--checkers', '1', '-p', project), project).toMatchObject({ status: 0, output: '' })
  },
  COMPILE_MS,
)
