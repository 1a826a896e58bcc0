import { readConfig } from '../config.ts'
import { roleStatements } from '../db/roles.ts'
import { validateConstraints } from '../db/validate-constraints.ts'
import { command, flag } from './command.ts'

/** Opening the context already migrates, so this command reports it, and validates what rows have been mended for since. */
export const migrateCommand = command({
  name: 'migrate',
  about: 'bring the schema up to date',
  options: { printRoles: flag('print the SQL with which an administrator makes the database roles, and do nothing') },
  runHere: async (io, _, { printRoles }) => {
    if (printRoles !== true) return null
    io.out(roleSql(readConfig().databaseUrl))
    return 0
  },
  run: async ({ store }, io) => {
    await validateConstraints(store)
    io.out(io.json ? JSON.stringify({ upToDate: true }) : 'The schema is up to date.')
    return 0
  },
})

/** The SQL with which an administrator creates the roles for an owner without CREATEROLE. Needs no database. */
const roleSql = (databaseUrl: string | null): string => {
  const owner = databaseUrl === null ? 'counterfoil' : decodeURIComponent(new URL(databaseUrl).username)
  return roleStatements(owner || 'counterfoil')
}
