import type { Command } from './command.ts'
import { importFocusCommand } from './import-focus.ts'
import { importUsageCommand } from './import-usage.ts'
import { migrateCommand } from './migrate.ts'
import { seedDemoCommand } from './seed-demo.ts'
import { ssoListCommand, ssoRemoveCommand, ssoSetCommand, ssoShowCommand, ssoUnlinkCommand } from './sso.ts'

/** The commands that work on the house, by the name under which they travel to a running server. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: migrateCommand,
  'seed-demo': seedDemoCommand,
  'import focus': importFocusCommand,
  'import usage': importUsageCommand,
  'sso set': ssoSetCommand,
  'sso show': ssoShowCommand,
  'sso list': ssoListCommand,
  'sso remove': ssoRemoveCommand,
  'sso unlink': ssoUnlinkCommand,
}
