import { type Config, readConfig } from '../config.ts'
import { type AppContext, openContext } from '../context.ts'
import { openLog } from '../kit/log.ts'
import type { CommandIo, Run } from './command.ts'
import { runOnServer } from './socket.ts'

/** What the program needs of the process: its streams and its exit code. */
export interface Terminal {
  createIo(json: boolean): CommandIo
  setExitCode(exit: number): void
}

/** Opens the context for these settings, logging at `level`. */
export const openConfiguredContext = (config: Config, level = config.logLevel): Promise<AppContext> => openContext(config, openLog(level))

/** Runs commands inside the running server when one holds the embedded database, else in this process. */
export const commandRunner =
  (terminal: Terminal): Run =>
  async (command, args, options) => {
    const config = readConfig()
    const json = options['json'] === true
    const io = terminal.createIo(json)
    if (config.databaseUrl === null) {
      const exit = await runOnServer(config.dataDir, { command, args, options, json }, { ...io, input: () => process.stdin })
      if (exit !== null) return terminal.setExitCode(exit)
    }
    const { dispatchCommand: perform } = await import('./commands.ts')
    const context = await openConfiguredContext(config, 'warn')
    try {
      terminal.setExitCode(await perform(command, context, io, args, options))
    } finally {
      await context.close()
    }
  }
