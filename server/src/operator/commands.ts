import { auditVerifyCommand } from './audit-verify.ts'
import type { Command } from './command.ts'
import { importFocusCommand } from './import-focus.ts'
import { importUsageCommand } from './import-usage.ts'
import { migrateCommand } from './migrate.ts'
import { PAYMENT_COMMANDS } from './payment-commands.ts'
import { seedDemoCommand } from './seed-demo.ts'
import { ssoListCommand, ssoRemoveCommand, ssoSetCommand, ssoShowCommand, ssoUnlinkCommand } from './sso.ts'
import { supportLinkCommand } from './support-link.ts'

/** The commands that work on the house, by the name under which they travel to a running server. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: migrateCommand,
  'audit verify': auditVerifyCommand,
  'seed-demo': seedDemoCommand,
  'support-link': supportLinkCommand,
  'import focus': importFocusCommand,
  'import usage': importUsageCommand,
  ...PAYMENT_COMMANDS,
  'sso set': ssoSetCommand,
  'sso show': ssoShowCommand,
  'sso list': ssoListCommand,
  'sso remove': ssoRemoveCommand,
  'sso unlink': ssoUnlinkCommand,
}
