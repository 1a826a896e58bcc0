import type { AppContext } from '../context.ts'
import { OperatorError } from '../kit/api-error.ts'
import { auditListCommand } from './audit/audit-list.ts'
import { auditVerifyCommand } from './audit/audit-verify.ts'
import { backupCommand } from './backup/backup.ts'
import type { Command, CommandIo, Options } from './command.ts'
import { doctorDatabaseCommand } from './doctor/doctor-database.ts'
import { importFocusCommand } from './imports/import-focus.ts'
import { IMPORT_KINDS } from '../imports/records/kinds.data.ts'
import { importRecordsCommand } from './imports/import-records.ts'
import { importUsageCommand } from './imports/import-usage.ts'
import { migrateCommand } from './migrate.ts'
import { PAYMENT_COMMANDS } from './payments/payment-commands.ts'
import { seedDemoCommand } from './seed-demo.ts'
import { ssoListCommand, ssoRemoveCommand, ssoSetCommand, ssoShowCommand, ssoUnlinkCommand } from './sso/sso.ts'
import { supportLinkCommand } from './support-link.ts'
import { brandAddCommand, brandFlagsCommand, brandListCommand, brandSetCommand, brandShowCommand } from './tenants/brand.ts'
import { brandImageCommand } from './tenants/brand-image.ts'
import { customerAddCommand, customerListCommand, customerSetCommand, customerShowCommand } from './tenants/customer.ts'
import { resellerAddCommand, resellerListCommand, resellerSetCommand, resellerShowCommand } from './tenants/reseller.ts'
import { userAddCommand, userDisableCommand, userEnableCommand, userListCommand, userSetCommand, userShowCommand } from './tenants/user.ts'
import { resellerLabelsCommand, resellerReportsCommand } from './tenants/reseller-labels.ts'
import { userInviteCommand, userResetLinkCommand } from './tenants/user-links.ts'
import { usageArchiveCommand } from './imports/usage-archive.ts'

/** The commands that work on the database, by the name under which they are sent to a running server. */
const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: migrateCommand,
  'audit list': auditListCommand,
  'audit verify': auditVerifyCommand,
  backup: backupCommand,
  'doctor database': doctorDatabaseCommand,
  'seed-demo': seedDemoCommand,
  'support-link': supportLinkCommand,
  'import focus': importFocusCommand,
  'import usage': importUsageCommand,
  'usage archive': usageArchiveCommand,
  ...PAYMENT_COMMANDS,
  'sso set': ssoSetCommand,
  'sso show': ssoShowCommand,
  'sso list': ssoListCommand,
  'sso remove': ssoRemoveCommand,
  'sso unlink': ssoUnlinkCommand,
  ...Object.fromEntries(IMPORT_KINDS.map((kind) => [`import ${kind.name}`, importRecordsCommand(kind)])),
  'reseller add': resellerAddCommand,
  'reseller list': resellerListCommand,
  'reseller show': resellerShowCommand,
  'reseller set': resellerSetCommand,
  'reseller labels': resellerLabelsCommand,
  'reseller reports': resellerReportsCommand,
  'brand add': brandAddCommand,
  'brand list': brandListCommand,
  'brand show': brandShowCommand,
  'brand set': brandSetCommand,
  'brand flags': brandFlagsCommand,
  'brand image': brandImageCommand,
  'customer add': customerAddCommand,
  'customer list': customerListCommand,
  'customer show': customerShowCommand,
  'customer set': customerSetCommand,
  'user add': userAddCommand,
  'user invite': userInviteCommand,
  'user reset-link': userResetLinkCommand,
  'user list': userListCommand,
  'user show': userShowCommand,
  'user set': userSetCommand,
  'user disable': userDisableCommand,
  'user enable': userEnableCommand,
}

const MAX_WORD_LENGTH = 10_000

/**
 * Runs a command by its name.
 * @throws OperatorError when no command has this name, or a word is too long or not well-formed text
 */
export const dispatchCommand = async (
  name: string,
  context: AppContext,
  io: CommandIo,
  args: readonly string[],
  options: Options,
): Promise<number> => {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw new OperatorError(`The running server does not know the command ${name}: it is of another version.`)
  for (const word of [...args, ...Object.values(options)].flat())
    if (typeof word === 'string' && (word.includes('\0') || !word.isWellFormed() || word.length > MAX_WORD_LENGTH))
      throw new OperatorError('A word of the command line is too long, or holds a character that no text may have.')
  return command(context, io, args, options)
}
