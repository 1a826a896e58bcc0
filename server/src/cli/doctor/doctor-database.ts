import type { Command } from '../command.ts'
import { databaseFindings } from './database-findings.ts'

/** What the running server finds of the database that it holds, for `counterfoil doctor`. */
export const doctorDatabaseCommand: Command = async (house, io) => {
  io.out(JSON.stringify(await databaseFindings(house.store, house.keys, house.clock)))
  return 0
}
