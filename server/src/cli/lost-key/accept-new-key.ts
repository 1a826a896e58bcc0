import { INSTALLATION } from '../../audit/audit.ts'
import { chainEnds } from '../../audit/audit.queries.ts'
import type { Config } from '../../config.ts'
import type { Db, Store } from '../../db/database.ts'
import { keyPlace } from '../../master-key/check-key.ts'
import { keyMark, replaceKeyMark, shortMark, storedKeyMark } from '../../master-key/key-mark.ts'
import { makeKeys } from '../../master-key/settle-key.ts'
import { hasProgramsAtWork } from '../../db/programs-at-work.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { systemClock } from '../../kit/clock.ts'
import type { Keys } from '../../kit/keys.ts'
import type { CommandIo } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { confirm } from '../program/confirm.ts'
import { openConfiguredContext } from '../program/run-command.ts'
import { countLosses, type Losses } from './losses.queries.ts'
import { renewPayLinks } from './renew-pay-links.ts'

const QUESTION =
  'Everything that rests on the master key of this database is lost for ever: every password, every session and mailed link, the accounts at payment companies, the client secrets of single sign-on.'

/**
 * Asks, then makes the database one of the master key of the settings (created where there is none), after its own key is lost.
 * @returns the exit code @throws OperatorError when the key is the right one, or programs are at work on the database
 */
export const acceptNewKey = async (config: Config, io: CommandIo, yes: boolean): Promise<number> => {
  await confirm(QUESTION, yes)
  let losses: Losses | null = null
  const takeOver = async (store: Store, found: Keys | null): Promise<Keys> => {
    if (await store.transact({ role: 'owner' }, hasProgramsAtWork))
      throw new OperatorError(
        'A server, worker or command is connected to this database, perhaps one that has its master key. Stop it first.',
      )
    const keys = found ?? makeKeys(config.dataDir).keys
    losses = await countLosses(store)
    await renewPayLinks(store, keys, losses.resellerIds)
    await store.transact({ role: 'counterfoil_system' }, (db) => beginChains(db, keys)) // last: until then the command can be repeated
    return keys
  }
  const context = await openConfiguredContext(config, 'warn', { takeOver })
  await context.close()
  if (losses === null) throw new OperatorError('The master key is the one of this database: there is nothing to accept.')
  printLosses(io, keyPlace(config), shortMark(keyMark(context.keys)), losses)
  return 0
}

/** Replaces the database's mark by that of the key, and begins every audit chain anew with an entry about it. Does not commit. */
const beginChains = async (db: Db, keys: Keys): Promise<void> => {
  const before = await storedKeyMark(db)
  await replaceKeyMark(db, keyMark(keys))
  const detail = `${before === undefined ? 'no mark' : `mark ${shortMark(before)}`} to mark ${shortMark(keyMark(keys))}`
  const chains = new Set([INSTALLATION, ...(await chainEnds(db)).map(({ resellerId }) => resellerId)])
  for (const resellerId of chains)
    await auditOperator(db, { keys, clock: systemClock }, 'master-key.replaced', { resellerId, subject: 'master key', detail })
}

/** Prints what was lost with the old key and what to do about each; with --json one object. */
const printLosses = (io: CommandIo, place: string, mark: string, { users, accounts, organizations, payLinks }: Losses): void => {
  if (io.json) return io.out(JSON.stringify({ key: place, mark, users, accounts, organizations, payLinks }))
  const lines = [
    `The database now belongs to the master key in ${place} (mark ${mark}). Keep a copy of it apart.`,
    `${users} passwords are lost: whoever had one asks for a new one by mail, or gets one by user reset-link or user set.`,
    'Everybody is signed out, and links that were mailed before are void: send invitations again.',
    `${accounts} accounts at payment companies must be entered again with all their credentials: reseller payments set.`,
    `${organizations} organizations with single sign-on need their client secret again: sso set.`,
    `${payLinks} payment links that were sent are void; the portal shows the new ones.`,
    'The audit log begins anew in every chain: audit verify says with which entry.',
  ]
  for (const line of lines) io.out(line)
}
