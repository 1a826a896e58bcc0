import { type Config, readConfig } from '../config.ts'
import type { AppContext } from '../context.ts'
import { roleStatements } from '../db/roles.ts'
import { validateConstraints } from '../db/constraints/validate-constraints.ts'
import { command, type CommandIo, flag, FORCE_ABOUT } from './command.ts'
import { openConfiguredContext } from './program/run-command.ts'

/** Validates constraints, and prints the migrations that ran when the context was opened. Runs none itself. @returns the exit code */
const finishMigration = async ({ store, migrations }: AppContext, io: CommandIo): Promise<number> => {
  await validateConstraints(store)
  if (io.json) io.out(JSON.stringify({ upToDate: true, migrations }))
  else for (const line of [...migrations.map((name) => `${name} has run.`), 'The schema is up to date.']) io.out(line)
  return 0
}

/** Opening the context already migrates, so this command reports it, and validates what rows have been mended for since. */
export const migrateCommand = command({
  name: 'migrate',
  about: 'bring the schema up to date',
  options: {
    printRoles: flag('print the SQL with which an administrator makes the database roles, and do nothing'),
    force: flag(FORCE_ABOUT),
    acceptNewKey: flag('go on with another master key after the one of this database is lost for ever'),
    yes: flag('with --accept-new-key: do it without asking'),
  },
  runWithoutDatabase: async (io, _, { printRoles, force, acceptNewKey: acceptsNewKey, yes }) => {
    if (printRoles === true) {
      io.out(roleSql(readConfig().databaseUrl))
      return 0
    }
    if (acceptsNewKey === true) {
      const { acceptNewKey } = await import('./lost-key/accept-new-key.ts') // loads much that the list of commands does not need
      return acceptNewKey(readConfig(), io, yes === true)
    }
    return force === true ? forceMigration(readConfig(), io) : null
  },
  run: finishMigration,
})

/** Brings the schema up to date even though programs of an earlier version are at work. @returns the exit code */
const forceMigration = async (config: Config, io: CommandIo): Promise<number> => {
  const context = await openConfiguredContext(config, 'warn', { force: true })
  try {
    return await finishMigration(context, io)
  } finally {
    await context.close()
  }
}

/**
 * The SQL with which an administrator creates the roles and grants them to an owner without CREATEROLE: the user of the database's URL, or
 * `counterfoil` for null. Connects to nothing.
 */
const roleSql = (databaseUrl: string | null): string => {
  const owner = databaseUrl === null ? 'counterfoil' : decodeURIComponent(new URL(databaseUrl).username)
  return roleStatements(owner || 'counterfoil')
}
