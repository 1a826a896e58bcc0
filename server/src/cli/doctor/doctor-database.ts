import { command } from '../command.ts'
import { databaseFindings } from './database-findings.ts'

/** Prints the findings about the database that the running server holds, for `counterfoil doctor`. */
export const doctorDatabaseCommand = command({
  name: 'doctor database',
  about: 'what the doctor finds in the database that the running server holds',
  isHidden: true,
  run: async (deps, io) => {
    io.out(JSON.stringify(await databaseFindings(deps.store, deps.config, deps.clock)))
    return 0
  },
})
