import type { Command } from '../command.ts'
import { databaseFindings } from './database-findings.ts'

/** What the running server finds of the database that it holds, for `counterfoil doctor`. */
export const doctorDatabaseCommand: Command = async (deps, io) => {
  io.out(JSON.stringify(await databaseFindings(deps.store, deps.keys, deps.clock)))
  return 0
}
