import { resolve } from 'node:path'
import type { Command as Program } from 'commander'
import { IMPORT_KINDS } from '../imports/records/kinds.data.ts'
import type { ImportKind } from '../imports/records/kind.rules.ts'
import { shapeOf } from '../imports/records/kind-shape.rules.ts'
import type { Options, Run } from './command.ts'
import { STANDARD_INPUT } from './terminal.ts'

/** A path as the running server understands it, whatever folder that was started in. */
const pathOf = (file: string): string => (file === STANDARD_INPUT ? file : resolve(file))

const withPaths = (options: Options): Options => {
  const { rejects, files } = options
  return {
    ...options,
    ...(typeof rejects === 'string' ? { rejects: resolve(rejects) } : {}),
    ...(typeof files === 'string' ? { files: resolve(files) } : {}),
  }
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
  for (const kind of IMPORT_KINDS) declareKind(imports, kind, run)
}

const list = (names: readonly string[]): string => names.join(', ') || 'none'

const declareKind = (imports: Program, kind: ImportKind, run: Run): void => {
  const { fields, required: needed } = shapeOf(kind)
  const command = imports
    .command(`${kind.name} <file>`)
    .description(`import ${kind.name}: ${kind.about} (CSV with a header or JSON lines, plain or gzip; - is standard input)`)
    .requiredOption('--reseller <name or id>', 'the reseller that they belong to')
    .option('--dry-run', 'say what would come of it, and keep nothing')
    .option('--skip-bad', 'import the good rows of a file with bad ones')
    .option('--rejects <file>', 'write the bad rows there: line and reason, as CSV')
    .option('--json', 'print one JSON object')
  if (kind.refs.some(({ name }) => name === 'brand'))
    command.option('--brand <name or id>', 'the brand of those who are new, where the file names none')
  if (kind.table === 'invoice') command.option('--files <folder>', 'where the PDF files lie that the field file names')
  command
    .addHelpText(
      'after',
      `\nFields that every row has: ${list([...needed])}\nFurther fields: ${list(fields.filter((name) => !needed.has(name)))}`,
    )
    .action((file: string, options: Options) => run(`import ${kind.name}`, [pathOf(file)], withPaths(options)))
}
