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
  declareReviewQueue(program.command('payments').description('payments that need an operator, and how they are resolved'), run)
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
    .option('--type <company>', 'the payment provider, or none')
    .option('--credentials <file>', 'a JSON file with the account’s credentials; - is standard input')
    .option('--address <url>', 'the address of the provider’s API')
    .option('--publishable-key <key>', 'the key that stands in web pages')
    .option('--payments <on|off>', 'whether customers may pay')
    .option('--bulk <on|off>', 'whether they may pay several invoices at once')
    .option('--debit <kind>', 'the bank debit offered: none, 1 (AU BECS), 2 (US ACH), 3 (BACS), 4 (SEPA)')
    .option(
      '--raw-card <on|off>',
      'whether card numbers may come to this server, for a provider that accepts them; PCI DSS SAQ D applies then',
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
    .description('ask the provider whose account it is; moves no money')
    .option(...JSON_FLAG)
    .action((name: string, options: Options) => run('reseller payments test', [name], options))
  payments
    .command('rotate-secret <reseller>')
    .description('accept a new webhook secret beside the old one, or end the old one')
    .option('--webhook-secret-file <file>', 'the file with the new secret; - is standard input')
    .option('--drop-old', 'accept webhooks with the newest secret alone')
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
    .description('list what needs an operator')
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
    .description('ask the payment provider now what became of a payment, and record it')
    .option(...JSON_FLAG)
    .action((id: string, options: Options) => run('payments look-up', [id], options))
  payments
    .command('settle <payment>')
    .description('state the outcome of a payment that the provider cannot tell')
    .requiredOption('--as <outcome>', 'paid or failed')
    .requiredOption('--reason <words>', 'how you know; kept in the audit log')
    .option('--yes', 'do it without being asked')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      '\nThe provider is asked first, and its answer takes precedence. Settling as failed lets the invoices be paid again.',
    )
    .action(async (id: string, options: Options) => {
      await confirm(`Settle the payment ${id} as ${String(options['as'])}? It cannot be taken back.`, options['yes'] === true)
      await run('payments settle', [id], { ...options, yes: true })
    })
  payments
    .command('reconcile')
    .description('compare the ledger with the list of each payment provider; the worker does it daily')
    .option(...ONE_RESELLER)
    .option('--days <number>', 'how far back', '35')
    .option(...JSON_FLAG)
    .addHelpText('after', '\nExit code 1 when something is left that a person must look at.')
    .action((options: Options) => run('payments reconcile', [], options))
  payments
    .command('dismiss <reference>')
    .description('dismiss a discrepancy that was resolved elsewhere')
    .requiredOption('--reseller <name or id>', 'whose it is')
    .requiredOption('--reason <words>', 'how; kept in the audit log')
    .option(...JSON_FLAG)
    .action((reference: string, options: Options) => run('payments dismiss', [reference], options))
}
