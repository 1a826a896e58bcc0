import { writeAudit } from '../../audit/audit.ts'
import { addMs } from '../../kit/clock.ts'
import { type RateLimitUse, tooManyRequests } from '../../rate-limits/rate-limits.ts'
import { addressUses } from '../../rate-limits/client-address.ts'
import { refundRateLimits, consumeRateLimits } from '../../rate-limits/rate-limits.queries.ts'
import { userById } from '../../session/session.queries.ts'
import { newSecret, secretHash } from '../../session/tokens.ts'
import {
  type SignOnAttempt,
  setAttemptUser,
  deleteAttempt,
  insertAttempt,
  insertCode,
  consumeAttempt,
  findPendingAttempt,
} from '../../sso/attempts.queries.ts'
import { type Organization, findOrganization, findActiveOrganization } from '../../sso/organizations.queries.ts'
import { findOrLinkUser } from '../../sso/identities.queries.ts'
import { SignOnFailed } from '../../sso/identity.ts'
import type { IdentityProviders } from '../../sso/providers.ts'
import { toRedirectPath } from './redirect-path.rules.ts'
import type { SignInContext, SignInDeps, SystemDb } from './sign-in.service.ts'

export interface SsoDeps extends SignInDeps {
  readonly identityProviders: IdentityProviders
}

/** The request of a sign-on in progress. */
export interface SsoContext extends SignInContext {
  /** The portal's origin in this browser. */
  readonly origin: string
}

/** The code for an unknown or blocked organization; the portal shows a text of its own. */
const UNKNOWN_ORGANIZATION = 'Unexpected redirect error'
const NO_SSO = 'The Company does not have SSO authentication'
const FAILED = 'Authentication failed'

const MAX_NAME_LENGTH = 254
/** Names the browser in which a sign-on began. */
export const BROWSER_COOKIE = 'counterfoil-sso'
/** How long a person may take at the provider. */
const ATTEMPT_MS = 10 * 60_000
const CODE_MS = 60_000
const SECRET_PATTERN = /^[\w-]{43}$/

/**
 * Begins single sign-on: stores an attempt and sets the cookie that names this browser.
 * @returns the URL to send the browser to: the organization's provider, or the sign-in page with an error
 * @throws ApiError 429 after too many attempts from one address
 */
export const startSso = async (deps: SsoDeps, context: SsoContext, { b, r }: { b: string; r: string }): Promise<string> => {
  const { now, requestInfo, transactAsSystem, origin } = context
  const waitMs = await transactAsSystem((db) => consumeRateLimits(db, organizationUses(deps, context), now), { durable: false })
  if (waitMs > 0) throw tooManyRequests(waitMs)
  const target = toRedirectPath(r)
  const hostBrand = await deps.brandOfHost(requestInfo.host)
  const name = b.length > MAX_NAME_LENGTH || b.includes('\0') ? '' : b.trim()
  const { organization, isKnown } = await transactAsSystem((db) => findOrganization(db, name, hostBrand))
  if (organization === undefined || organization.isBlocked)
    return signInUrl({ e: organization === undefined && isKnown ? NO_SSO : UNKNOWN_ORGANIZATION, b: name || undefined, r: target })
  const state = newSecret()
  try {
    const url = await deps.identityProviders.authorizationUrl(organization, state, origin)
    const expiresAt = addMs(now, ATTEMPT_MS)
    const attempt = {
      stateHash: secretHash(state),
      browserHash: secretHash(ensureBrowserSecret(context)),
      organization,
      origin,
      target,
      expiresAt,
    }
    await transactAsSystem((db) => insertAttempt(db, attempt))
    return url
  } catch (error) {
    return failureUrl(deps, error, { organization, target })
  }
}

/**
 * The rate limits of sign-ons from this address. A successful attempt is refunded, so that an office full of people may share an address.
 */
const organizationUses = ({ keys, limits }: SsoDeps, { requestInfo }: SsoContext): RateLimitUse[] =>
  addressUses(keys, limits, 'organization', requestInfo.address)

/** The browser's secret for sign-ons in progress, kept in a cookie, which is set anew each time. Several tabs may share the secret. */
const ensureBrowserSecret = ({ requestInfo }: SsoContext): string => {
  const known = requestInfo.cookie(BROWSER_COOKIE)
  const secret = known !== undefined && SECRET_PATTERN.test(known) ? known : newSecret()
  requestInfo.setCookie(BROWSER_COOKIE, secret, ATTEMPT_MS / 1_000, 'lax')
  return secret
}

/**
 * Completes single sign-on when the browser is back: by the provider's redirect, or by ours after a posted response. Starts no session: the
 * sign-in page does so with the code.
 * @returns the URL of the sign-in page, with a one-time code or an error
 */
export const finishSso = async (deps: SsoDeps, context: SsoContext, query: URLSearchParams): Promise<string> => {
  const { now, requestInfo, transactAsSystem } = context
  const state = query.get('state') ?? ''
  const browser = requestInfo.cookie(BROWSER_COOKIE) ?? ''
  const attempt = SECRET_PATTERN.test(state)
    ? await transactAsSystem((db) => consumeAttempt(db, secretHash(state), secretHash(browser), now))
    : undefined
  if (attempt === undefined) return failureUrl(deps, new SignOnFailed('stale', 'nothing waits for this answer'))
  const target = attempt.target ?? undefined
  const organization = await organizationOf(context, attempt)
  if (organization === undefined) return failureUrl(deps, new SignOnFailed('denied', 'the company was blocked meanwhile'), { target })
  try {
    const userId =
      organization.kind === 'saml' ? answeredUserOf(attempt) : await findOpenIdUser(deps, context, { organization, attempt, state, query })
    const code = newSecret()
    const redirectUri = `${attempt.origin}/login`
    const expiresAt = addMs(now, CODE_MS)
    await transactAsSystem(async (db) => {
      await insertCode(db, { codeHash: secretHash(code), browserHash: secretHash(browser), userId, redirectUri, expiresAt })
      await refundRateLimits(db, organizationUses(deps, context))
    })
    return signInUrl({ code, r: target })
  } catch (error) {
    await auditLinkRefused(deps, context, organization, error)
    return failureUrl(deps, error, { organization, target })
  }
}

/** The organization of an attempt; undefined when it was blocked meanwhile. */
const organizationOf = ({ transactAsSystem }: SsoContext, { organizationId }: SignOnAttempt): Promise<Organization | undefined> =>
  transactAsSystem((db) => findActiveOrganization(db, organizationId))

/** The user whom a SAML response has named for the attempt. @throws SignOnFailed before there was one */
const answeredUserOf = ({ userId }: SignOnAttempt): string => {
  if (userId === null) throw new SignOnFailed('stale', 'the provider has not answered yet')
  return userId
}

/** Asks the OpenID provider who has signed in, and finds or links that person's user. @returns the user's id @throws SignOnFailed */
const findOpenIdUser = async (
  deps: SsoDeps,
  context: SsoContext,
  { organization, attempt, state, query }: { organization: Organization; attempt: SignOnAttempt; state: string; query: URLSearchParams },
): Promise<string> => {
  const { now, transactAsSystem } = context
  const callbackUrl = new URL(`${attempt.origin}/sso/callback?${query}`)
  const identity = await deps.identityProviders.openIdIdentity(organization, state, callbackUrl)
  return transactAsSystem((db) =>
    findOrLinkUser(db, organization, identity, now, (userId) => auditLinked(db, deps, context, organization, userId)),
  )
}

/**
 * Verifies a posted SAML response and stores its user with the attempt. Browsers do not send the cookie with a cross-site post, so the
 * browser's next request completes the sign-on.
 * @returns the URL of that request, or of the sign-in page with an error
 */
export const handleSamlResponse = async (
  deps: SsoDeps,
  context: SsoContext,
  form: { SAMLResponse: string; RelayState: string },
): Promise<string> => {
  const { now, transactAsSystem } = context
  const state = form.RelayState
  const stateHash = secretHash(state)
  const attempt = SECRET_PATTERN.test(state) ? await transactAsSystem((db) => findPendingAttempt(db, stateHash, now)) : undefined
  if (attempt === undefined) return failureUrl(deps, new SignOnFailed('stale', 'nothing waits for this answer'))
  const target = attempt.target ?? undefined
  const organization = await organizationOf(context, attempt)
  if (organization === undefined) return failureUrl(deps, new SignOnFailed('denied', 'the company was blocked meanwhile'), { target })
  try {
    if (organization.kind !== 'saml') throw new SignOnFailed('unbelievable', 'the company’s provider does not speak SAML')
    const identity = await deps.identityProviders.samlIdentity(organization, state, attempt.origin, form.SAMLResponse)
    const isFirst = await transactAsSystem(async (db) => {
      const userId = await findOrLinkUser(db, organization, identity, now, (id) => auditLinked(db, deps, context, organization, id))
      return setAttemptUser(db, stateHash, userId, now)
    })
    if (!isFirst) throw new SignOnFailed('stale', 'a second answer')
    return `/sso/callback?${new URLSearchParams({ state })}`
  } catch (error) {
    await auditLinkRefused(deps, context, organization, error)
    if (!(error instanceof SignOnFailed && error.kind === 'stale')) await transactAsSystem((db) => deleteAttempt(db, stateHash))
    return failureUrl(deps, error, { organization, target })
  }
}

/** Writes to the audit log that an identity was linked to a user. Call last in the transaction that links. */
const auditLinked = async (
  db: SystemDb,
  { keys }: SsoDeps,
  { now, requestInfo }: SsoContext,
  organization: Organization,
  userId: string,
): Promise<void> => {
  const user = await userById(db, userId)
  await writeAudit(db, keys, now, {
    resellerId: organization.resellerId,
    action: 'sso.linked',
    actor: { kind: 'user', id: userId, name: user?.displayName ?? '' },
    subject: `company ${organization.name}`,
    source: requestInfo.address,
  })
}

/** Writes to the audit log that an identity belongs to no user; does nothing for any other error. */
const auditLinkRefused = async (
  { keys }: SsoDeps,
  { now, requestInfo, transactAsSystem }: SsoContext,
  organization: Organization,
  error: unknown,
): Promise<void> => {
  if (!(error instanceof SignOnFailed) || error.kind !== 'stranger') return
  await transactAsSystem((db) =>
    writeAudit(db, keys, now, {
      resellerId: organization.resellerId,
      action: 'sso.link-refused',
      actor: { kind: 'system', name: 'single sign-on' },
      subject: `company ${organization.name}`,
      source: requestInfo.address,
      detail: error.reason,
    }),
  )
}

/** The URL of the sign-in page that tells of too many attempts, since the browser would show the error as plain JSON. */
export const tooManyAttemptsUrl = (b: string): string => signInUrl({ e: FAILED, why: 'often', b: b.trim() || undefined })

/**
 * The URL of the sign-in page with a failed sign-on's error. The log gets the exact reason, without personal data.
 * @throws every error but SignOnFailed
 */
const failureUrl = (
  deps: SsoDeps,
  error: unknown,
  { organization, target }: { organization?: Organization | undefined; target?: string | undefined } = {},
): string => {
  if (!(error instanceof SignOnFailed)) throw error
  const { kind, reason } = error
  deps.log.warn({ organizationId: organization?.id ?? null, kind, reason }, 'a single sign-on failed')
  return signInUrl({ e: FAILED, why: kind, b: organization?.name, r: target })
}

/** The path of the sign-in page with these parameters, without the undefined ones. */
const signInUrl = (query: Readonly<Record<string, string | undefined>>): string => {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `/login?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}
