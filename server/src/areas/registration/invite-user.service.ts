import { randomUUID } from 'node:crypto'
import { EMAIL_PATTERN } from '@counterfoil/contract/sign-in'
import { COMMAND_LINE, writeAudit } from '../../audit/audit.ts'
import type { AppContext } from '../../context.ts'
import { actAsSystem } from '../../db/act-as.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { queueUserMail, cancelUserMail } from '../../mail/mail.queries.ts'
import { endLinks } from '../../session/one-time-links.queries.ts'
import { assertUsername } from '../../session/username.ts'
import { hasBrand, insertInvitedUser, type InvitedUser, linkCustomers, lockUserNamed, updateInvitedUser } from './invitations.queries.ts'

export interface Invitation extends InvitedUser {
  /** The customers to act for; the first is selected. */
  readonly customerIds: readonly number[]
  /** The operator's name for the audit log. */
  readonly operator: string
}

const EMAIL_REGEX = new RegExp(EMAIL_PATTERN)

/**
 * Creates a user without a password and queues the mail with the link that finishes the registration. A user who has not registered yet is
 * invited again: the mail goes to the new address, and earlier links are void.
 * @throws OperatorError when a value is not valid, the username is taken, or the user is registered or disabled
 */
export const inviteUser = async (
  { store, keys, clock }: Pick<AppContext, 'store' | 'keys' | 'clock'>,
  fields: Invitation,
): Promise<{ userId: string; isNew: boolean }> => {
  const invitation = { ...fields, username: fields.username.trim(), email: fields.email.trim(), displayName: fields.displayName.trim() }
  assertUsername(invitation.username)
  if (!EMAIL_REGEX.test(invitation.email) || invitation.email.length > 254)
    throw new OperatorError('An email address looks like name@example.com.')
  if (invitation.displayName === '' || invitation.displayName.length > 200 || /\p{C}/u.test(invitation.displayName))
    throw new OperatorError('The name of a person must have 1 to 200 characters, all of them printable.')
  const { resellerId, customerIds } = invitation
  return store.transact({ role: 'counterfoil_reseller', resellerId }, async (db) => {
    const now = clock()
    const { userId, isNew } = await findOrInsertUser(db, invitation)
    const linked = await linkCustomers(db, userId, customerIds)
    const missing = customerIds.find((id) => !linked.includes(id))
    if (missing !== undefined) throw new OperatorError(`This reseller has no customer with the id ${missing}.`)
    await actAsSystem(db)
    await endLinks(db, 'registration', userId, now)
    await cancelUserMail(db, 'invitation', userId)
    await queueUserMail(db, { kind: 'invitation', userId, event: randomUUID() }, now)
    const actor = { kind: 'operator', name: invitation.operator } as const
    await writeAudit(db, keys, now, { resellerId, action: 'user.invited', actor, subject: `user ${userId}`, source: COMMAND_LINE })
    return { userId, isNew }
  })
}

/** The invited user, inserted unless known; a known user gets the new address and name. @throws OperatorError as inviteUser */
const findOrInsertUser = async (
  db: Parameters<typeof lockUserNamed>[0],
  invitation: Invitation,
): Promise<{ userId: string; isNew: boolean }> => {
  if (!(await hasBrand(db, invitation.resellerId, invitation.brandId)))
    throw new OperatorError(`This reseller has no brand with the id ${invitation.brandId}.`)
  const known = await lockUserNamed(db, invitation.username)
  if (known === undefined) {
    const userId = await insertInvitedUser(db, invitation)
    if (userId === undefined) throw new OperatorError(`The username ${invitation.username} is taken; choose another.`)
    return { userId, isNew: true }
  }
  if (known.isRegistered)
    throw new OperatorError(
      `${invitation.username} has registered already. Who forgot the password asks for a new one on the sign-in page.`,
    )
  if (known.isDisabled) throw new OperatorError(`${invitation.username} is switched off.`)
  if (known.brandId !== invitation.brandId) throw new OperatorError(`${invitation.username} belongs to another brand of this reseller.`)
  await updateInvitedUser(db, known.id, invitation)
  return { userId: known.id, isNew: false }
}
