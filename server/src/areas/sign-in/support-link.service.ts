import { randomUUID } from 'node:crypto'
import { COMMAND_LINE, writeAudit } from '../../audit/audit.ts'
import type { AppContext } from '../../context.ts'
import { addMs } from '../../kit/clock.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { linkAddress } from '../../mail/link-address.ts'
import { linkSecretHash, linkToken } from '../../session/one-time-links.ts'
import { storeLink } from '../../session/one-time-links.queries.ts'
import { userByName } from '../../session/session.queries.ts'
import { toRedirectPath } from './redirect-path.rules.ts'
import { domainOfBrand, findCustomerToActFor } from './support-link.queries.ts'

export interface SupportLinkRequest {
  readonly username: string
  /** The one customer to act for, by its external id or id; undefined: every customer of the user. */
  readonly customer: string | undefined
  /** The portal's page to open. */
  readonly redirect: string | undefined
  /** The support employee's name. */
  readonly supporter: string
  /** Who makes the link, by the name of the system's user. */
  readonly operator: string
}

export interface SupportLink {
  readonly url: string
  readonly username: string
  readonly customerId: number | undefined
  readonly expiresAt: Date
}

const LIFETIME_MS = 5 * 60_000

/**
 * Stores a link by which a support employee signs in as a user, once, until `LIFETIME_MS` have passed, and audits it. Nothing is mailed.
 * @throws OperatorError when the user, the customer, the page or the name is not valid
 */
export const createSupportLink = async (
  context: Pick<AppContext, 'store' | 'keys' | 'clock' | 'config'>,
  request: SupportLinkRequest,
): Promise<SupportLink> => {
  const { store, keys, clock, config } = context
  const supporter = request.supporter.trim()
  if (supporter === '' || supporter.length > 100 || /\p{C}/u.test(supporter))
    throw new OperatorError('The name of who signs in (--as) must have 1 to 100 characters, all of them printable.')
  const target = request.redirect === undefined ? undefined : toRedirectPath(request.redirect)
  if (request.redirect !== undefined && target === undefined)
    throw new OperatorError('The page to open (--redirect) must be a path of the portal, such as /invoices.')
  return store.transact({ role: 'counterfoil_system' }, async (db) => {
    const now = clock()
    const user = await userByName(db, request.username.trim())
    if (user === undefined) throw new OperatorError(`There is no user ${request.username}.`)
    if (user.isDisabled) throw new OperatorError(`${request.username} is switched off.`)
    const customer = request.customer?.trim()
    const customerId = customer === undefined ? undefined : await findCustomerToActFor(db, user.id, customer)
    if (customer !== undefined && customerId === undefined)
      throw new OperatorError(`${request.username} may not act for the customer ${customer}.`)
    const id = randomUUID()
    const expiresAt = addMs(now, LIFETIME_MS)
    const support = { supporter, onlyCustomerId: customerId ?? null }
    await storeLink(db, { id, kind: 'support', userId: user.id, secretHash: linkSecretHash(keys, id), expiresAt, support }, now)
    const query = new URLSearchParams({
      ...(customerId === undefined ? {} : { c: String(customerId) }),
      ...(target === undefined ? {} : { r: target }),
    })
    const path = `/la/${linkToken(keys, id)}${query.size > 0 ? `?${query}` : ''}`
    const url = linkAddress(await domainOfBrand(db, user.brandId), config.publicUrl, path)
    await writeAudit(db, keys, now, {
      resellerId: user.resellerId,
      action: 'support.link-made',
      actor: { kind: 'operator', name: request.operator },
      subject: `user ${user.id}`,
      detail: `for ${supporter}`,
      source: COMMAND_LINE,
      ...(customerId === undefined ? {} : { customerId }),
    })
    return { url, username: request.username.trim(), customerId, expiresAt }
  })
}
