import { CommanderError, Command as Program } from 'commander'
import { readConfig } from './config.ts'
import { FolderInUse } from './db/embedded/folder-lock.ts'
import { OperatorError } from './kit/api-error.ts'
import { stopSignal } from './kit/stop-signal.ts'
import { openService } from './cli/program/open-service.ts'
import { commandRunner, type Terminal } from './cli/program/run-command.ts'
import { FORCE_ABOUT } from './cli/command.ts'
import { terminalIo } from './cli/terminal.ts'

/** Exit codes: 0 done, 1 failed, 2 the command line is not valid. */
const EXIT_FAILED = 1
const EXIT_USAGE = 2

const terminal: Terminal = { createIo: terminalIo, setExitCode: (exit) => void (process.exitCode = exit) }

const program = new Program('counterfoil')
  .description('The open self-service billing portal: what an operator does with it')
  .version('0.1.0')
  .showHelpAfterError('(counterfoil --help shows what there is)')
  .exitOverride()

program
  .command('serve')
  .description('answer the portal and the API; does the jobs too')
  .option('--no-worker', 'leave the jobs to a worker that runs apart')
  .option('--force', FORCE_ABOUT)
  .action(async ({ worker, force }: { worker: boolean; force?: true }) => {
    const stopped = stopSignal()
    const deps = await openService(readConfig(), { force: force === true }, stopped)
    if (deps === null) return
    try {
      const { serve } = await import('./serve.ts')
      const server = await serve(deps, { worker })
      await stopped
      await server.stop()
    } catch (error) {
      await deps.close()
      throw error
    }
  })

program
  .command('worker')
  .description('do the jobs of the queue, apart from the server (needs DATABASE_URL)')
  .option('--force', FORCE_ABOUT)
  .action(async ({ force }: { force?: true }) => {
    const config = readConfig()
    if (config.databaseUrl === null)
      throw new OperatorError(
        'A worker apart needs DATABASE_URL: the embedded database serves one process, and that one does the jobs itself.',
      )
    const stopped = stopSignal()
    const deps = await openService(config, { force: force === true }, stopped)
    if (deps === null) return
    const { startWorker } = await import('./jobs/worker.ts')
    const worker = startWorker(deps)
    await stopped
    await worker.stop()
    await deps.close()
  })

// The operator's commands are loaded only when one runs: a server needs no memory for them.
if (process.argv[2] !== 'serve' && process.argv[2] !== 'worker') {
  const { registerCommands } = await import('./cli/program/register.ts')
  await registerCommands(program, commandRunner(terminal), terminal, process.argv.slice(2))
}

/** Prints why a command failed, and ends the process with an exit code. */
const explain = (error: unknown): void => {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : EXIT_USAGE) // commander has printed the message
  const isExpected = error instanceof OperatorError || error instanceof FolderInUse
  const message = error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error)
  process.stderr.write(isExpected ? `${message}\n` : `counterfoil failed: ${message}\n`)
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error: isExpected ? message : 'counterfoil failed' })}\n`)
  process.exit(EXIT_FAILED)
}

// A reader that has seen enough, such as head, ends no command: what it does goes on, and is told to nobody.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
process.on('unhandledRejection', (error) => explain(error))
await program.parseAsync().catch(explain)
