import { type Config, readConfig } from '../config.ts'
import { type AppContext, openContext } from '../context.ts'
import { openLog } from '../kit/log.ts'
import type { Io, Run } from './command.ts'
import { throughServer } from './socket.ts'

/** Where the command line is typed: what is said there, and the exit code with which it ends. */
export interface Terminal {
  io(json: boolean): Io
  ended(exit: number): void
}

/** The house of these settings, with a log that tells no more than `level`. */
export const openAt = (config: Config, level = config.logLevel): Promise<AppContext> => openContext(config, openLog(level))

/** Runs commands through the running server where the embedded database has one, else on the house itself. */
export const runner =
  (terminal: Terminal): Run =>
  async (command, args, options) => {
    const config = readConfig()
    const json = options['json'] === true
    const io = terminal.io(json)
    if (config.databaseUrl === null) {
      const exit = await throughServer(config.dataDir, { command, args, options, json }, { ...io, input: () => process.stdin })
      if (exit !== null) return terminal.ended(exit)
    }
    const { perform } = await import('./commands.ts')
    const context = await openAt(config, 'warn')
    try {
      terminal.ended(await perform(command, context, io, args, options))
    } finally {
      await context.close()
    }
  }
