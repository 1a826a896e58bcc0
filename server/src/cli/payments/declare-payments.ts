import { resolve } from 'node:path'
import type { Command as Program } from 'commander'
import type { Options } from '../command.ts'
import { confirm } from '../confirm.ts'
import { STANDARD_INPUT } from '../terminal.ts'

type Run = (command: string, args: readonly string[], options: Options) => Promise<void>

const JSON_FLAG = ['--json', 'print one JSON object'] as const
const ONE_RESELLER = ['--reseller <name or id>', 'of this reseller alone'] as const

/** Declares the payment commands with their help texts. */
export const declarePayments = (program: Program, run: Run): void => {
  declareReviewQueue(program.command('payments').description('payments that need a person, and how they are brought to an end'), run)
  program
    .command('autopay')
    .description('charging customers who allow it')
    .command('run')
    .description('charge what is due by the default methods; may be run again at any time')
    .option(...ONE_RESELLER)
    .option('--dry-run', 'say what would be charged, and charge nothing')
    .option(...JSON_FLAG)
    .action((options: Options) => run('autopay run', [], options))
  program
    .command('events')
    .description('what the billing engine is to hear: one JSON object a line, in an order that never changes')
    .option('--since <cursor>', 'go on after the event with this cursor', '0')
    .option('--most <number>', 'so many at most')
    .option(...ONE_RESELLER)
    .option('--json', 'the same: it is always JSON')
    .action((options: Options) => run('events', [], options))
  const resellers =
    program.commands.find((command) => command.name() === 'reseller') ?? program.command('reseller').description('who bills')
  declareAccounts(resellers.command('payments').description('how a reseller takes payments'), run)
}

const declareAccounts = (payments: Program, run: Run): void => {
  payments
    .command('set <reseller>')
    .description('change how a reseller takes payments; without a change, show it')
    .option('--type <company>', 'the payment company, or none')
    .option('--credentials <file>', 'a JSON file with the account’s credentials; - is standard input')
    .option('--address <url>', 'the address of the company’s API')
    .option('--publishable-key <key>', 'the key that stands in web pages')
    .option('--payments <on|off>', 'whether customers may pay')
    .option('--bulk <on|off>', 'whether they may pay several invoices at once')
    .option('--debit <kind>', 'the bank debit offered: none, 1 (AU BECS), 2 (US ACH), 3 (BACS), 4 (SEPA)')
    .option(
      '--raw-card <on|off>',
      'whether card numbers may come to this server, for a company that takes them; it falls under PCI DSS SAQ D then',
    )
    .option('--fee <rule...>', 'what is added: card:AUD:1.5:0.30 (percent, fixed part); card:AUD:0:0 takes it away')
    .option(...JSON_FLAG)
    .addHelpText('after', '\nCredentials are never an argument of the command line, where others can see them, and are never shown.')
    .action((name: string, { fee, ...options }: Record<string, unknown>) =>
      run('reseller payments set', [name], {
        ...withResolvedFile(options, 'credentials'),
        ...(Array.isArray(fee) ? { fee: fee.join(' ') } : {}),
      }),
    )
  payments
    .command('test <reseller>')
    .description('ask the company whose account it is; moves nothing')
    .option(...JSON_FLAG)
    .action((name: string, options: Options) => run('reseller payments test', [name], options))
  payments
    .command('rotate-secret <reseller>')
    .description('take a new secret for the company’s notices beside the old one, or end the old one')
    .option('--webhook-secret-file <file>', 'the file with the new secret; - is standard input')
    .option('--drop-old', 'take notices with the newest secret alone')
    .option(...JSON_FLAG)
    .action((name: string, options: Record<string, unknown>) =>
      run('reseller payments rotate-secret', [name], withResolvedFile(options, 'webhookSecretFile')),
    )
}

/** Files are sent to a running server by their full path. */
const withResolvedFile = (options: Record<string, unknown>, name: string): Options => {
  const path = options[name]
  return { ...(options as Options), ...(typeof path === 'string' ? { [name]: path === STANDARD_INPUT ? path : resolve(path) } : {}) }
}

const declareReviewQueue = (payments: Program, run: Run): void => {
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
      await confirm(`Settle the payment ${id} as ${String(options['as'])}? It cannot be taken back.`, options['yes'] === true)
      await run('payments settle', [id], { ...options, yes: true })
    })
  payments
    .command('reconcile')
    .description('compare the book with the list of each payment company; the worker does it daily')
    .option(...ONE_RESELLER)
    .option('--days <number>', 'how far back', '35')
    .option(...JSON_FLAG)
    .addHelpText('after', '\nExit code 1 when something is left that a person must look at.')
    .action((options: Options) => run('payments reconcile', [], options))
  payments
    .command('dismiss <reference>')
    .description('take a difference out of the queue that was dealt with elsewhere')
    .requiredOption('--reseller <name or id>', 'whose it is')
    .requiredOption('--reason <words>', 'how; kept in the audit log')
    .option(...JSON_FLAG)
    .action((reference: string, options: Options) => run('payments dismiss', [reference], options))
}
