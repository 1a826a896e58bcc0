import { resolve } from 'node:path'
import type { Command as Program } from 'commander'
import type { Options, Run } from './command.ts'
import { STANDARD_INPUT } from './terminal.ts'

/** A path as the running server understands it, whatever folder that was started in. */
const pathOf = (file: string): string => (file === STANDARD_INPUT ? file : resolve(file))

const withPaths = (options: Options): Options => {
  const { rejects } = options
  return typeof rejects === 'string' ? { ...options, rejects: resolve(rejects) } : options
}

/** `counterfoil import …` */
export const declareImports = (program: Program, run: Run): void => {
  const imports = program.command('import').description('bring records in from files')
  imports
    .command('focus <file>')
    .description('import a FOCUS 1.0 billing file (CSV): customers, services, usage and invoices')
    .requiredOption('--reseller <name or id>', 'the reseller that the customers belong to; made when the name is new')
    .requiredOption('--brand <name or id>', 'the brand that the customers see; made when the name is new')
    .option('--username <name>', 'the user who may act for all of them')
    .option('--skip-bad', 'import the good rows of a file with bad ones')
    .option('--json', 'print one JSON object')
    .action((file: string, options: Options) => run('import focus', [resolve(file)], options))
  imports
    .command('usage <file>')
    .description('import usage records (CSV with a header or JSON lines, plain or gzip; - is standard input)')
    .requiredOption('--reseller <name or id>', 'the reseller whose customers they belong to')
    .option('--skip-bad', 'import the good rows of a file with bad ones')
    .option('--rejects <file>', 'write the bad rows there: line and reason, as CSV')
    .option('--json', 'print one JSON object')
    .action((file: string, options: Options) => run('import usage', [pathOf(file)], withPaths(options)))
}
