import { Command as Program } from 'commander'
import { expect, test } from 'vitest'
import type { Options } from '../command.ts'
import { registerCommands } from './register.ts'
import { GROUPS, loadCommands, SUBJECTS } from './subjects.ts'

const leaves = (program: Program, before: readonly string[] = []): string[] =>
  program.commands.flatMap((command) => {
    const name = [...before, command.name()]
    return command.commands.length > 0 ? leaves(command, name) : [name.join(' ')]
  })

const terminal = { createIo: () => Promise.reject() as never, setExitCode: () => undefined }

/** A program, and what it was told to run. */
const newProgram = async (words?: readonly string[]) => {
  const program = new Program()
  const ran: [string, readonly string[], Options][] = []
  await registerCommands(
    program,
    async (...call) => {
      ran.push(call)
      return 0
    },
    terminal,
    words,
  )
  return { program, ran }
}

const parse = async (line: string) => {
  const { program, ran } = await newProgram(line.split(' '))
  await program.parseAsync(line.split(' '), { from: 'user' })
  return ran
}

test('[OPS-03] every command can be typed, once, by the name under which it is found', async () => {
  const names: string[] = []
  for (const subject of Object.keys(SUBJECTS))
    for (const { name, isHidden } of await loadCommands(subject)) {
      expect(name.split(' ')[0]).toBe(subject)
      if (isHidden !== true) names.push(name)
    }
  const { program } = await newProgram()
  expect(new Set(names).size).toBe(names.length)
  expect(leaves(program).toSorted()).toEqual(names.toSorted())
})

test('[OPS-03] arguments and options are sent as they are declared: lists, defaults, switches, files by their full path', async () => {
  expect(await parse('reseller payments set Nimbus --credentials - --fee card:AUD:1:0 debit:AUD:0:0.5')).toEqual([
    ['reseller payments set', ['Nimbus'], { credentials: '-', fee: ['card:AUD:1:0', 'debit:AUD:0:0.5'] }],
  ])
  expect(await parse('payments settle an-id --as paid --reason Seen --yes')).toEqual([
    ['payments settle', ['an-id'], { as: 'paid', reason: 'Seen', yes: true }],
  ])
  expect(await parse('events --since 7')).toEqual([['events', [], { since: '7' }]])
  expect(await parse('events')).toEqual([['events', [], { since: '0' }]])
  expect(await parse('sso set --reseller R --company C --no-trust-email --domain a.example b.example --metadata idp.xml')).toMatchObject([
    ['sso set', [], { trustEmail: false, domain: ['a.example', 'b.example'], metadata: `${process.cwd()}/idp.xml` }],
  ])
  expect(await parse('customer set C --address-line One --address-line Two')).toEqual([
    ['customer set', ['C'], { addressLine: ['One', 'Two'] }],
  ])
  expect(await parse('import usage - --reseller R --rejects bad.csv --skip-bad')).toEqual([
    ['import usage', ['-'], { reseller: 'R', rejects: `${process.cwd()}/bad.csv`, skipBad: true }],
  ])
})

test('[OPS-03] what a command line does not name is listed without being loaded', async () => {
  const { program } = await newProgram(['--help'])
  expect(program.commands.map((command) => command.name())).toEqual(Object.keys(SUBJECTS))
  const groups = program.commands.filter((command) => Object.hasOwn(GROUPS, command.name()))
  expect(groups.flatMap((group) => group.commands)).toEqual([])
  const named = await newProgram(['help', 'brand'])
  expect(leaves(named.program)).toContain('brand flags')
  expect(named.program.commands).toHaveLength(1)
})
