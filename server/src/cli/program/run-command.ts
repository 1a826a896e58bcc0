import { type Config, readConfig } from '../../config.ts'
import { type AppContext, openContext, type OpenOptions } from '../../context.ts'
import { explainDatabaseErrors } from '../../db/database-errors.ts'
import { openLog } from '../../kit/log.ts'
import type { CommandIo, Options } from '../command.ts'
import { runOnServer } from '../socket.ts'

/** Runs a command by its name, inside the running server when one holds the embedded database. Resolves to its exit code. */
export type Run = (command: string, args: readonly string[], options: Options) => Promise<number>

/** What the program needs of the process: its streams and its exit code. */
export interface Terminal {
  createIo(json: boolean): CommandIo
  setExitCode(exit: number): void
}

/** Opens the database and everything else of the context, and brings the schema up to date, logging at `level`. */
export const openConfiguredContext = (config: Config, level = config.logLevel, options: OpenOptions = {}): Promise<AppContext> =>
  openContext(config, openLog(level), options)

/** Sets the exit code of the process and returns it. Ends nothing. */
const endWith = (terminal: Terminal, exit: number): number => {
  terminal.setExitCode(exit)
  return exit
}

/** Makes the function that runs commands inside the running server where one holds the embedded database, else in this process. */
export const commandRunner =
  (terminal: Terminal): Run =>
  async (command, args, options) => {
    const config = readConfig()
    const json = options['json'] === true
    const io = terminal.createIo(json)
    if (config.databaseUrl === null) {
      const exit = await runOnServer(config.dataDir, { command, args, options, json }, { ...io, input: () => process.stdin })
      if (exit !== null) return endWith(terminal, exit)
    }
    const { dispatchCommand } = await import('./dispatch.ts')
    const context = await openConfiguredContext(config, 'warn')
    try {
      return endWith(terminal, await explainDatabaseErrors(config, () => dispatchCommand(command, context, io, args, options)))
    } finally {
      await context.close()
    }
  }
