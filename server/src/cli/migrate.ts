import { roleStatements } from '../db/roles.ts'
import type { Command } from './command.ts'

/** Opening the context already migrates, so this command only reports it. */
export const migrateCommand: Command = async (_deps, io) => {
  io.out(io.json ? JSON.stringify({ upToDate: true }) : 'The schema is up to date.')
  return 0
}

/** The SQL with which an administrator creates the roles for an owner without CREATEROLE. Needs no database. */
export const roleSql = (databaseUrl: string | null): string => {
  const owner = databaseUrl === null ? 'counterfoil' : decodeURIComponent(new URL(databaseUrl).username)
  return roleStatements(owner || 'counterfoil')
}
