import { setTimeout } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { type AppContext, openContext, type OpenOptions } from '../../context.ts'
import { isPassingTrouble } from '../../db/database-errors.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { openLog } from '../../kit/log.ts'

const PAUSES_MS = [500, 1_000, 2_000] as const
const MAX_PAUSE_MS = 5_000

/**
 * Opens the context of a program that stays. While the database is away, or takes no connections yet, the log says so and it is tried
 * again: a database that fails over must not need somebody who starts the servers once more.
 * @param stopped resolves when the program is to stop
 * @returns null when the program was stopped meanwhile
 * @throws OperatorError when something is wrong that waiting does not mend
 */
export const openService = async (config: Config, options: OpenOptions, stopped: Promise<void>): Promise<AppContext | null> => {
  const log = openLog(config.logLevel)
  for (let tries = 0; ; tries += 1) {
    try {
      return await openContext(config, log, options)
    } catch (error) {
      if (!(error instanceof OperatorError) || !isPassingTrouble(error.cause)) throw error
      const pauseMs = PAUSES_MS[tries] ?? MAX_PAUSE_MS
      log.error({ tries: tries + 1, nextTryMs: pauseMs }, `${error.message} It is tried again.`)
      const isStopped = await Promise.race([stopped.then(() => true), setTimeout(pauseMs, false, { ref: true })])
      if (isStopped) return null
    }
  }
}
