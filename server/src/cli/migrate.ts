import { roleStatements } from '../db/roles.ts'
import type { Command } from './command.ts'

/** The house migrates as it opens; what is left is to say so. */
export const migrateCommand: Command = async (_deps, io) => {
  io.out(io.json ? JSON.stringify({ upToDate: true }) : 'The schema is up to date.')
  return 0
}

/** The SQL with which an administrator makes the roles for an owner who may not; works without a database. */
export const roleSql = (databaseUrl: string | null): string => {
  const owner = databaseUrl === null ? 'counterfoil' : decodeURIComponent(new URL(databaseUrl).username)
  return roleStatements(owner || 'counterfoil')
}
