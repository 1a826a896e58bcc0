import { resolve } from 'node:path'
import { CommanderError, Command as Program } from 'commander'
import { type Config, readConfig } from './config.ts'
import { type House, openHouse } from './house.ts'
import { FolderInUse } from './kit/embedded/folder-lock.ts'
import { openLog } from './kit/log.ts'
import { OperatorError } from './kit/refusal.ts'
import { toldToStop } from './kit/runtime.ts'
import type { Options } from './operator/command.ts'
import { perform } from './operator/commands.ts'
import { declareHouse } from './operator/declare-house.ts'
import { declareImports } from './operator/declare-imports.ts'
import { declareTenants } from './operator/declare-tenants.ts'
import { declarePayments } from './operator/declare-payments.ts'
import { printRoles } from './operator/migrate.ts'
import { addSsoCommands } from './operator/sso-program.ts'
import { throughServer } from './operator/socket.ts'
import { loginName, terminalIo } from './operator/terminal.ts'
import { serve } from './serve.ts'

/** Exit codes: 0 done, 1 refused, 2 the command line is not one that we know. */
const REFUSED = 1
const MISUSED = 2

const open = (config: Config, level = config.logLevel): Promise<House> => openHouse(config, openLog(level))

/** Works through the running server where the embedded database has one, else on the house itself. */
const runCommand = async (command: string, args: readonly string[], options: Options): Promise<void> => {
  const config = readConfig()
  const json = options['json'] === true
  const io = terminalIo(json)
  if (config.databaseUrl === null) {
    const exit = await throughServer(config.dataDir, { command, args, options, json }, { ...io, input: () => process.stdin })
    if (exit !== null) {
      process.exitCode = exit
      return
    }
  }
  const house = await open(config, 'warn')
  try {
    process.exitCode = await perform(command, house, io, args, options)
  } finally {
    await house.close()
  }
}

const program = new Program('counterfoil')
  .description('The open self-service billing portal: what an operator does with it')
  .version('0.1.0')
  .showHelpAfterError('(counterfoil --help shows what there is)')
  .exitOverride()

program
  .command('serve')
  .description('answer the portal and the API; does the jobs too')
  .option('--no-worker', 'leave the jobs to a worker that runs apart')
  .action(async ({ worker }: { worker: boolean }) => {
    const stop = toldToStop()
    const house = await open(readConfig())
    try {
      const serving = await serve(house, { worker })
      await stop
      await serving.stop()
    } catch (error) {
      await house.close()
      throw error
    }
  })

program
  .command('worker')
  .description('do the jobs of the queue, apart from the server (needs DATABASE_URL)')
  .action(async () => {
    const config = readConfig()
    if (config.databaseUrl === null)
      throw new OperatorError(
        'A worker apart needs DATABASE_URL: the embedded database serves one process, and that one does the jobs itself.',
      )
    const stop = toldToStop()
    const house = await open(config)
    const { startWorker } = await import('./jobs/worker.ts')
    const worker = await startWorker(house)
    await stop
    await worker.stop()
    await house.close()
  })

program
  .command('migrate')
  .description('bring the schema up to date')
  .option('--print-roles', 'print the SQL with which an administrator makes the database roles, and do nothing')
  .option('--json', 'print one JSON object')
  .action(async (options: Options) => {
    if (options['printRoles'] === true) process.stdout.write(`${printRoles(readConfig().databaseUrl)}\n`)
    else await runCommand('migrate', [], options)
  })

program
  .command('seed-demo')
  .description('make the demo world, unless it is there already')
  .option('--json', 'print one JSON object')
  .action((options: Options) => runCommand('seed-demo', [], options))

program
  .command('audit')
  .description('the log of who did what')
  .command('verify')
  .description('find entries that were changed, removed or inserted since they were written')
  .option('--json', 'print one JSON object')
  .action((options: Options) => runCommand('audit verify', [], options))

program
  .command('support-link')
  .description('a link with which somebody of support signs in as a user, once, within five minutes')
  .requiredOption('--user <username>', 'the user in whose name')
  .option('--customer <id>', 'the one customer to act for; without it all that the user may act for')
  .option('--redirect <path>', 'the page of the portal to open')
  .option('--as <name>', 'who of support it is for', loginName())
  .option('--json', 'print one JSON object')
  .action((options: Options) => runCommand('support-link', [], options))

declareImports(program, runCommand)
declareTenants(program, runCommand)
declareHouse(program, runCommand)

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
    return runCommand('usage archive', [], { ...options, ...(typeof out === 'string' ? { out: resolve(out) } : {}) })
  })

addSsoCommands(program, runCommand)
declarePayments(program, runCommand)

const explain = (error: unknown): void => {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : MISUSED) // commander has said what it is
  const isKnown = error instanceof OperatorError || error instanceof FolderInUse
  const words = error instanceof Error ? (isKnown ? error.message : (error.stack ?? error.message)) : String(error)
  process.stderr.write(isKnown ? `${words}\n` : `counterfoil failed: ${words}\n`)
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error: isKnown ? words : 'counterfoil failed' })}\n`)
  process.exit(REFUSED)
}

process.on('unhandledRejection', (error) => explain(error))
await program.parseAsync().catch(explain)
