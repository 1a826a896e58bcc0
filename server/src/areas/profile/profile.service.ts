import type { Profile, ProfileChoices } from '@counterfoil/contract/user/profile'
import { writeAudit } from '../../audit/audit.ts'
import type { RequestInfo } from '../../session/request-info.ts'
import type { Transact } from '../../db/transact.ts'
import type { Keys } from '../../kit/keys.ts'
import type { Actor } from '../../session/actor.ts'
import { readProfileRow, updateChoices } from './profile.queries.ts'

export interface ProfileDeps {
  readonly keys: Keys
}

interface ProfileContext {
  readonly actor: Actor
  readonly now: Date
  readonly requestInfo: RequestInfo
  readonly transactAsSystem: Transact
}

/** The signed-in user's profile. A support session does not learn where the person's receipts go. */
export const readProfile = async ({ actor, transactAsSystem }: Pick<ProfileContext, 'actor' | 'transactAsSystem'>): Promise<Profile> => {
  const profile = await transactAsSystem((db) => readProfileRow(db, actor.userId))
  return actor.supporter === null ? profile : { ...profile, receiptEmail: null }
}

/**
 * Stores the number format and the receipt address that the signed-in user chooses, and the change in the audit log; nothing where they are
 * the same.
 * @returns the profile as it is then
 */
export const changeProfile = (
  { keys }: ProfileDeps,
  { actor, now, requestInfo, transactAsSystem }: ProfileContext,
  choices: ProfileChoices,
): Promise<Profile> =>
  transactAsSystem(async (db) => {
    const profile = await readProfileRow(db, actor.userId)
    const { numberLocale, receiptEmail } = profile
    if (numberLocale === choices.numberLocale && receiptEmail === choices.receiptEmail) return profile
    await updateChoices(db, actor.userId, choices)
    await writeAudit(db, keys, now, {
      resellerId: actor.resellerId,
      action: 'profile.changed',
      actor: { kind: 'user', id: actor.userId, name: actor.displayName },
      subject: `user ${actor.userId}`,
      source: requestInfo.address,
      before: { numberLocale, receiptEmail },
      after: choices,
    })
    return { ...profile, ...choices }
  })
