import { Command as Program } from 'commander'
import { expect, test } from 'vitest'
import { declarePayments } from './declare-payments.ts'
import { PAYMENT_COMMANDS } from './payment-commands.ts'

const leaves = (program: Program, before: readonly string[] = []): string[] =>
  program.commands.flatMap((command) => {
    const name = [...before, command.name()]
    return command.commands.length > 0 ? leaves(command, name) : [name.join(' ')]
  })

test('[OPS-03] exactly the commands about money exist that are declared', async () => {
  const program = new Program()
  const ran: [string, readonly string[], object][] = []
  declarePayments(program, async (...call) => void ran.push(call))
  expect(leaves(program).toSorted()).toEqual(Object.keys(PAYMENT_COMMANDS).toSorted())

  const typed = (line: string) => program.parseAsync(line.split(' '), { from: 'user' })
  await typed('reseller payments set Nimbus --credentials - --fee card:AUD:1:0 debit:AUD:0:0.5')
  await typed('payments settle an-id --as paid --reason Seen --yes')
  await typed('events --since 7')
  expect(ran).toEqual([
    ['reseller payments set', ['Nimbus'], { credentials: '-', fee: 'card:AUD:1:0 debit:AUD:0:0.5' }],
    ['payments settle', ['an-id'], { as: 'paid', reason: 'Seen', yes: true }],
    ['events', [], { since: '7' }],
  ])
})

test('[OPS-03] the commands of a reseller’s payments stand beside its other commands', () => {
  const program = new Program()
  program.command('reseller').command('list')
  declarePayments(program, async () => undefined)
  expect(program.commands.filter((command) => command.name() === 'reseller')).toHaveLength(1)
  expect(leaves(program)).toContain('reseller list')
})
