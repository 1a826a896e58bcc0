import type { Command as Program } from 'commander'
import type { Options } from './command.ts'
import { confirmed } from './confirm.ts'

type Run = (command: string, args: readonly string[], options: Options) => Promise<void>

const JSON_FLAG = ['--json', 'print one JSON object'] as const
const ONE_RESELLER = ['--reseller <name or id>', 'of this reseller alone'] as const

/** The commands about money, with the words that their help shows. */
export const declarePayments = (program: Program, run: Run): void => {
  declareDesk(program.command('payments').description('payments that need a person, and how they are brought to an end'), run)
}

const declareDesk = (payments: Program, run: Run): void => {
  payments
    .command('queue')
    .description('list what nobody but a person can bring to an end')
    .option(...ONE_RESELLER)
    .option(...JSON_FLAG)
    .action((options: Options) => run('payments queue', [], options))
  payments
    .command('show <payment>')
    .description('show a payment with its history, by the id of the attempt')
    .option(...JSON_FLAG)
    .action((id: string, options: Options) => run('payments show', [id], options))
  payments
    .command('look-up <payment>')
    .description('ask the payment company now what became of a payment, and write it')
    .option(...JSON_FLAG)
    .action((id: string, options: Options) => run('payments look-up', [id], options))
  payments
    .command('settle <payment>')
    .description('say what became of a payment that the company cannot say anything about')
    .requiredOption('--as <verdict>', 'paid or failed')
    .requiredOption('--reason <words>', 'how you know; kept in the audit log')
    .option('--yes', 'do it without being asked')
    .option(...JSON_FLAG)
    .addHelpText('after', '\nThe company is asked first, and its word stands. Settling as failed lets the invoices be paid again.')
    .action(async (id: string, options: Options) => {
      await confirmed(`Settle the payment ${id} as ${String(options['as'])}? It cannot be taken back.`, options['yes'] === true)
      await run('payments settle', [id], { ...options, yes: true })
    })
}
