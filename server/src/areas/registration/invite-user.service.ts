import { randomUUID } from 'node:crypto'
import { EMAIL_PATTERN } from '@counterfoil/contract/sign-in'
import { COMMAND_LINE, writeAudit } from '../../audit/audit.ts'
import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { queueUserMail, withdrawUserMail } from '../../mail/mail.queries.ts'
import { endLinks } from '../../session/one-time-links.queries.ts'
import { checkUsername } from '../../session/username.ts'
import { becomeSystem, hasBrand, insertInvited, type Invited, linkCustomers, lockUserNamed, updateInvited } from './invitations.queries.ts'

/** Whom an operator invites. */
export interface Invitation extends Invited {
  /** The customers to act for; the first is the one to begin with. */
  readonly customerIds: readonly number[]
  /** The operator's name, for the audit log. */
  readonly operator: string
}

const EMAIL = new RegExp(EMAIL_PATTERN)

/**
 * Makes a user without a password and sends them the mail whose link finishes the registration. Somebody who was invited before and has
 * not registered is invited anew: the mail goes to the address given now, and links from earlier mails are void.
 * @throws OperatorError when a value cannot be used, the username is taken, or the user has registered already or is switched off
 */
export const inviteUser = async (
  { store, keys, clock }: Pick<AppContext, 'store' | 'keys' | 'clock'>,
  given: Invitation,
): Promise<{ userId: string; isNew: boolean }> => {
  const wish = { ...given, username: given.username.trim(), email: given.email.trim(), displayName: given.displayName.trim() }
  checkUsername(wish.username)
  if (!EMAIL.test(wish.email) || wish.email.length > 254) throw new OperatorError('An email address looks like name@example.com.')
  if (wish.displayName === '' || wish.displayName.length > 200 || /\p{C}/u.test(wish.displayName))
    throw new OperatorError('The name of a person must have 1 to 200 characters, all of them printable.')
  const { resellerId, customerIds } = wish
  return store.transact({ role: 'counterfoil_reseller', resellerId }, async (db) => {
    const now = clock()
    const { userId, isNew } = await settle(db, wish)
    const linked = await linkCustomers(db, userId, customerIds)
    const missing = customerIds.find((id) => !linked.includes(id))
    if (missing !== undefined) throw new OperatorError(`This reseller has no customer with the id ${missing}.`)
    await becomeSystem(db)
    await endLinks(db, 'registration', userId, now)
    await withdrawUserMail(db, 'invitation', userId)
    await queueUserMail(db, { kind: 'invitation', userId, event: randomUUID() }, now)
    const actor = { kind: 'operator', name: wish.operator } as const
    await writeAudit(db, keys, now, { resellerId, action: 'user.invited', actor, subject: `user ${userId}`, source: COMMAND_LINE })
    return { userId, isNew }
  })
}

const settle = async (db: Parameters<typeof lockUserNamed>[0], wish: Invitation): Promise<{ userId: string; isNew: boolean }> => {
  if (!(await hasBrand(db, wish.resellerId, wish.brandId)))
    throw new OperatorError(`This reseller has no brand with the id ${wish.brandId}.`)
  const known = await lockUserNamed(db, wish.username)
  if (known === undefined) {
    const userId = await insertInvited(db, wish)
    if (userId === undefined) throw new OperatorError(`The username ${wish.username} is taken; choose another.`)
    return { userId, isNew: true }
  }
  if (known.isRegistered)
    throw new OperatorError(`${wish.username} has registered already. Who forgot the password asks for a new one on the sign-in page.`)
  if (known.isDisabled) throw new OperatorError(`${wish.username} is switched off.`)
  if (known.brandId !== wish.brandId) throw new OperatorError(`${wish.username} belongs to another brand of this reseller.`)
  await updateInvited(db, known.id, wish)
  return { userId: known.id, isNew: false }
}
