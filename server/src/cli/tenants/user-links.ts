import { randomUUID } from 'node:crypto'
import { inviteUser } from '../../areas/registration/invite-user.service.ts'
import { addMs } from '../../kit/clock.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { linkAddress } from '../../mail/link-address.ts'
import { linkSecretHash, linkToken } from '../../session/one-time-links.ts'
import { endLinks, storeLink } from '../../session/one-time-links.queries.ts'
import { command, OF_RESELLER, requiredOption, textOption } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { loginName } from '../terminal.ts'
import { findResellerId, requireBrand } from './require-tenant.ts'
import { printRecord } from './print.ts'
import { readBrand } from './tenants.queries.ts'
import { ACTS_FOR, findCustomerIds, requireUser, SIGNS_IN_UNDER } from './user.ts'

export const userInviteCommand = command({
  name: 'user invite',
  about: 'invite somebody by mail to choose a password and sign in',
  arguments: { username: 'text' },
  options: {
    customer: ACTS_FOR,
    email: requiredOption(textOption('address', 'where the invitation goes')),
    brand: SIGNS_IN_UNDER,
    name: textOption('text', 'the person’s name as it is shown'),
    reseller: OF_RESELLER,
  },
  run: async (deps, io, { username }, options) => {
    const { email } = options
    const { brand, customerIds } = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const brand = await requireBrand(db, options.brand, await findResellerId(db, options.reseller))
      return { brand, customerIds: await findCustomerIds(db, options.customer, brand.resellerId) }
    })
    const { userId, isNew } = await inviteUser(deps, {
      resellerId: brand.resellerId,
      brandId: brand.id,
      username,
      email,
      displayName: options.name ?? username,
      customerIds,
      operator: loginName(),
    })
    return printRecord(
      io,
      { id: userId, username, isNew, brand: brand.id, customers: customerIds },
      `A mail invites ${username}; its link works once, for seven days.`,
    )
  },
})

const LINK_LIFETIME_MS = 60 * 60_000

/**
 * Prints a link to choose a new password, valid once within an hour, for people whom no mail reaches.
 * Earlier links of the user become invalid.
 */
export const userResetLinkCommand = command({
  name: 'user reset-link',
  about: 'print a link with which the person chooses a new password, once, within an hour',
  arguments: { username: 'text' },
  run: async (deps, io, { username }) => {
    const { keys, config } = deps
    const now = deps.clock()
    const link = await deps.store.transact({ role: 'counterfoil_system' }, async (db) => {
      const user = await requireUser(db, username)
      if (user.disabled) throw new OperatorError(`${user.username} is disabled: counterfoil user enable ${user.username}`)
      if (!user.hasPassword)
        throw new OperatorError(`${user.username} has no password yet: counterfoil user invite sends the mail to register with.`)
      const id = randomUUID()
      const expiresAt = addMs(now, LINK_LIFETIME_MS)
      await endLinks(db, 'reset', user.id, now)
      await storeLink(db, { id, kind: 'reset', userId: user.id, secretHash: linkSecretHash(keys, id), expiresAt }, now)
      const { domain } = await readBrand(db, user.brand)
      await auditOperator(db, deps, 'user.reset-link-made', { resellerId: user.reseller, subject: `user ${user.id}` })
      return { username: user.username, url: linkAddress(domain, config.publicUrl, `/reset-password/${linkToken(keys, id)}`), expiresAt }
    })
    return printRecord(
      io,
      link,
      `${link.url}\nWorks once, until ${link.expiresAt.toISOString().slice(11, 16)} UTC. Give it to ${link.username} alone.`,
    )
  },
})
