import { resolve } from 'node:path'
import type { Command as Program } from 'commander'
import { readConfig } from '../config.ts'
import type { Options, Run } from './command.ts'
import { declareInstallation } from './declare-installation.ts'
import { declareImports } from './declare-imports.ts'
import { declarePayments } from './payments/declare-payments.ts'
import { declareTenants } from './declare-tenants.ts'
import { roleSql } from './migrate.ts'
import type { Terminal } from './run-command.ts'
import { addSsoCommands } from './sso/sso-program.ts'
import { loginName } from './terminal.ts'

/** Every command that ends by itself: all of them but `serve` and `worker`. */
export const declareCommands = (program: Program, run: Run, terminal: Terminal): void => {
  declareBooks(program, run, terminal)
  declareImports(program, run)
  declareTenants(program, run)
  declareInstallation(program, run, terminal)
  declareUsage(program, run)
  addSsoCommands(program, run)
  declarePayments(program, run)
}

const declareBooks = (program: Program, run: Run, terminal: Terminal): void => {
  program
    .command('migrate')
    .description('bring the schema up to date')
    .option('--print-roles', 'print the SQL with which an administrator makes the database roles, and do nothing')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      if (options['printRoles'] === true) terminal.createIo(false).out(roleSql(readConfig().databaseUrl))
      else await run('migrate', [], options)
    })
  program
    .command('seed-demo')
    .description('make the demo world, unless it is there already')
    .option('--json', 'print one JSON object')
    .action((options: Options) => run('seed-demo', [], options))
  const audit = program.command('audit').description('the log of who did what')
  audit
    .command('list')
    .description('the newest entries, newest first')
    .option('--reseller <name>', 'of this reseller; "installation" for what is no reseller’s')
    .option('--customer <id>', 'about this customer')
    .option('--by <name>', 'done by, or in the name of, this person; a name or a user’s id')
    .option('--action <action>', 'such as user.disabled, or user for all that begins so')
    .option('--since <YYYY-MM-DD>', 'the first day, by UTC')
    .option('--until <YYYY-MM-DD>', 'the last day')
    .option('--limit <count>', 'so many at most, 100 without it')
    .option('--json', 'print one JSON object')
    .action((options: Options) => run('audit list', [], options))
  audit
    .command('verify')
    .description('find entries that were changed, removed or inserted since they were written')
    .option('--json', 'print one JSON object')
    .action((options: Options) => run('audit verify', [], options))
  program
    .command('support-link')
    .description('a link with which somebody of support signs in as a user, once, within five minutes')
    .requiredOption('--user <username>', 'the user in whose name')
    .option('--customer <id>', 'the one customer to act for; without it all that the user may act for')
    .option('--redirect <path>', 'the page of the portal to open')
    .option('--as <name>', 'who of support it is for', loginName())
    .option('--json', 'print one JSON object')
    .action((options: Options) => run('support-link', [], options))
}

const declareUsage = (program: Program, run: Run): void => {
  program
    .command('usage')
    .description('what is kept of usage')
    .command('archive')
    .description('remove old months of usage, written to files first where a folder is named; without --yes, say which')
    .requiredOption('--before <YYYY-MM>', 'the first month that stays')
    .option('--out <folder>', 'write each month there first, as CSV that import usage reads')
    .option('--yes', 'do it')
    .option('--json', 'print one JSON object')
    .action((options: Options) => {
      const { out } = options
      return run('usage archive', [], { ...options, ...(typeof out === 'string' ? { out: resolve(out) } : {}) })
    })
}
