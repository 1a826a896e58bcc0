import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command as Program } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { runCommand } from '../../test/support/operator.ts'
import { addTenant, queryAsAdministrator } from '../../test/support/people.ts'
import { registerCommands } from './program/register.ts'

let context: TestContext
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-every-'))

beforeAll(async () => {
  context = await testContext()
  await addTenant(context, { reseller: { name: 'Orbit' }, brand: { name: 'Orbit' } })
})
afterAll(async () => {
  await context.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Leaf {
  readonly name: string[]
  readonly command: Program
}

const leaves = (program: Program, before: string[] = []): Leaf[] =>
  program.commands.flatMap((command) => {
    const name = [...before, command.name()]
    return command.commands.length > 0 ? leaves(command, name) : [{ name, command }]
  })

const program = new Program('counterfoil')
await registerCommands(program, async () => 0, {
  createIo: () => {
    throw new Error('nothing is run')
  },
  setExitCode: () => undefined,
})
const LEAVES = leaves(program)

/** These work on the machine itself: installation-commands.test.ts and restore.test.ts test them. */
const MACHINE_COMMANDS = new Set(['init', 'doctor', 'backup', 'restore'])
const DATABASE_LEAVES = LEAVES.filter(({ name }) => !MACHINE_COMMANDS.has(name.join(' ')))
const namedLeaves = DATABASE_LEAVES.map((leaf) => [leaf.name.join(' '), leaf] as const)

/** Values that no option or argument accepts as ordinary. */
const HOSTILE: readonly string[] = [
  '',
  ' ',
  '-1',
  '0',
  '1e999',
  'NaN',
  '99999999999999999999',
  "'; drop table app_user; --",
  '$(touch /tmp/counterfoil-was-here)',
  '../../../../etc/passwd',
  '/dev/null',
  '\u202egnp.exe',
  '<script>alert(1)</script>',
  '\r\nSet-Cookie: x=y',
  'x'.repeat(9_999),
  '%00',
  '__proto__',
  '2026-02-30',
  '😀'.repeat(200),
]
/** Values that the program rejects before any command runs. */
const REJECTED = ['a\0b', 'x'.repeat(10_001), '\ud800']

/** The command line with every option and argument set to the same value. */
const commandLine = ({ name, command }: Leaf, value: string): string[] => {
  const options = command.options
    .filter(({ long }) => long !== '--json' && long !== '--help')
    .flatMap(({ long, required, optional }) => (required || optional ? [`${long}=${value}`] : []))
  return [...name, ...options, '--', ...command.registeredArguments.map(() => value)]
}

const runAndCheckOutput = async (args: string[]): Promise<number> => {
  const { exit, out, err } = await runCommand(context, ...args) // any error except a refusal fails the test
  expect([args.join(' ').slice(0, 200), [0, 1, 2].includes(exit)]).toEqual([args.join(' ').slice(0, 200), true])
  expect(`${out}${err}`).not.toMatch(/ at .*\.ts:\d|SqliteError|syntax error at|violates|undefined|\[object /)
  if (exit !== 0) expect(err).not.toBe('')
  return exit
}

test('[OPS-03] every command explains itself, and takes no option that it does not have', async () => {
  expect(LEAVES.length).toBeGreaterThan(50)
  for (const { name } of LEAVES) {
    expect(await runCommand(context, ...name, '--help')).toMatchObject({ exit: 0, out: expect.stringContaining('Usage:') as string })
    expect((await runCommand(context, ...name, '--no-such-option')).exit, name.join(' ')).toBe(2)
  }
})

test('[OPS-03] every command that needs something says so when it is missing', async () => {
  for (const { name, command } of LEAVES) {
    const needs = command.registeredArguments.some(({ required }) => required) || command.options.some(({ mandatory }) => mandatory)
    if (needs) expect((await runCommand(context, ...name)).exit, name.join(' ')).toBe(2)
  }
})

test.each(namedLeaves)(
  '[OPS-03] counterfoil %s, with malformed and hostile values, ends with a sentence and changes no schema',
  async (_, leaf) => {
    const takes = commandLine(leaf, '').length > leaf.name.length + 1
    for (const value of takes ? HOSTILE : []) await runAndCheckOutput(commandLine(leaf, value))
    for (const value of takes ? REJECTED : []) expect(await runAndCheckOutput(commandLine(leaf, value))).not.toBe(0)
    // With an existing and an unknown reseller, and a file of garbage.
    const file = join(folder, 'rubbish')
    writeFileSync(file, Buffer.from([0, 255, 254, 1, 2, 3]))
    const { options, registeredArguments: args } = leaf.command
    for (const reseller of ['Orbit', 'Nobody']) {
      const optionValues = options
        .filter(({ required }) => required)
        .map(({ long }) => `${long}=${long === '--reseller' ? reseller : file}`)
      if (optionValues.length === 0) continue
      const exit = await runAndCheckOutput([...leaf.name, ...optionValues, '--', ...args.map(() => file)])
      if (reseller === 'Nobody' || optionValues.length > 1) expect(exit).not.toBe(0)
    }
    expect(await queryAsAdministrator(context, `select count(*)::int as n from pg_class where relname = 'app_user'`)).toEqual([{ n: 1 }])
  },
)
