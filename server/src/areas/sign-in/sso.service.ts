import { writeAudit } from '../../audit/audit.ts'
import { later } from '../../kit/clock.ts'
import { type Charge, charge, tooMany } from '../../rate-limits/rate-limits.ts'
import { giveBack, takeFromBuckets, userById } from '../../session/session.queries.ts'
import { newSecret, secretHash } from '../../session/tokens.ts'
import {
  type Attempt,
  answerAttempt,
  dropAttempt,
  insertAttempt,
  insertCode,
  takeAttempt,
  waitingAttempt,
} from '../../sso/attempts.queries.ts'
import { type Company, companyNamed, openCompany } from '../../sso/organizations.queries.ts'
import { userOfIdentity } from '../../sso/identities.queries.ts'
import { SignOnFailed } from '../../sso/identity.ts'
import type { Providers } from '../../sso/providers.ts'
import { redirectPath } from './redirect-path.rules.ts'
import type { SignInAsk, SignInDeps, SystemDb } from './sign-in.service.ts'

/** What single sign-on needs of the house. */
export interface SsoDeps extends SignInDeps {
  readonly providers: Providers
}

/** Who is on the way, and where from. */
export interface SsoAsk extends SignInAsk {
  /** Where this browser sees the portal. */
  readonly origin: string
}

/** What stands for an unknown or blocked company; the portal has its own words for it (portal.md §8). */
const UNKNOWN_COMPANY = 'Unexpected redirect error'
const NO_SSO = 'The Company does not have SSO authentication'
const FAILED = 'Authentication failed'

/** No company's name is longer. */
const MOST_NAME = 254
const BROWSER_COOKIE = 'counterfoil-sso'
/** How long one may take at the provider. */
const ATTEMPT_MS = 10 * 60_000
const CODE_MS = 60_000
const SECRET = /^[\w-]{43}$/

/**
 * Begins single sign-on.
 * @returns the address to send the browser to: the company's provider, or the sign-in page with what is wrong
 * @throws Refusal 429 after ten tries in a minute from one address
 */
export const startSso = async (deps: SsoDeps, ask: SsoAsk, { b, r }: { b: string; r: string }): Promise<string> => {
  const { now, requestInfo, transactAsSystem, origin } = ask
  const waitMs = await transactAsSystem((db) => takeFromBuckets(db, [companyCharge(deps, ask)], now), 'fleeting')
  if (waitMs > 0) throw tooMany(waitMs)
  const target = redirectPath(r)
  const hostBrand = await deps.brandOfHost(requestInfo.host)
  const typed = b.length > MOST_NAME || b.includes('\0') ? '' : b.trim()
  const { company, isKnown } = await transactAsSystem((db) => companyNamed(db, typed, hostBrand))
  if (company === undefined || company.isBlocked)
    return signInPage({ e: company === undefined && isKnown ? NO_SSO : UNKNOWN_COMPANY, b: typed || undefined, r: target })
  const state = newSecret()
  try {
    const address = await deps.providers.address(company, state, origin)
    const expiresAt = later(now, ATTEMPT_MS)
    const attempt = { stateHash: secretHash(state), browserHash: secretHash(browserSecret(ask)), company, origin, target, expiresAt }
    await transactAsSystem((db) => insertAttempt(db, attempt))
    return address
  } catch (error) {
    return failed(deps, error, { company, target })
  }
}

/** A try costs one; whoever gets in gets it back, so that an office full of people may share an address. */
const companyCharge = ({ keys, limits }: SsoDeps, { requestInfo }: SsoAsk): Charge => charge(keys, limits, 'company', requestInfo.address)

/** The secret of this browser, kept while it is on the way; made when it has none. Several tabs may be under way with one. */
const browserSecret = ({ requestInfo }: SsoAsk): string => {
  const known = requestInfo.cookie(BROWSER_COOKIE)
  const secret = known !== undefined && SECRET.test(known) ? known : newSecret()
  requestInfo.setCookie(BROWSER_COOKIE, secret, ATTEMPT_MS / 1_000, 'Lax')
  return secret
}

/**
 * Ends single sign-on when the browser is back: by the provider's redirect, or by ours after a posted answer.
 * @returns the address of the sign-in page, with a one-time code or with what is wrong
 */
export const finishSso = async (deps: SsoDeps, ask: SsoAsk, query: URLSearchParams): Promise<string> => {
  const { now, requestInfo, transactAsSystem } = ask
  const state = query.get('state') ?? ''
  const browser = requestInfo.cookie(BROWSER_COOKIE) ?? ''
  const attempt = SECRET.test(state)
    ? await transactAsSystem((db) => takeAttempt(db, secretHash(state), secretHash(browser), now))
    : undefined
  if (attempt === undefined) return failed(deps, new SignOnFailed('stale', 'nothing waits for this answer'))
  const target = attempt.target ?? undefined
  const company = await companyOf(ask, attempt)
  if (company === undefined) return failed(deps, new SignOnFailed('denied', 'the company was blocked meanwhile'), { target })
  try {
    const userId = company.kind === 'saml' ? answeredUser(attempt) : await openIdUser(deps, ask, { company, attempt, state, query })
    const code = newSecret()
    const redirectUri = `${attempt.origin}/login`
    const expiresAt = later(now, CODE_MS)
    await transactAsSystem(async (db) => {
      await insertCode(db, { codeHash: secretHash(code), userId, redirectUri, expiresAt })
      await giveBack(db, [companyCharge(deps, ask)])
    })
    return signInPage({ code, r: target })
  } catch (error) {
    await noteRefused(deps, ask, company, error)
    return failed(deps, error, { company, target })
  }
}

const companyOf = ({ transactAsSystem }: SsoAsk, { companyId }: Attempt): Promise<Company | undefined> =>
  transactAsSystem((db) => openCompany(db, companyId))

const answeredUser = ({ userId }: Attempt): string => {
  if (userId === null) throw new SignOnFailed('stale', 'the provider has not answered yet')
  return userId
}

const openIdUser = async (
  deps: SsoDeps,
  ask: SsoAsk,
  { company, attempt, state, query }: { company: Company; attempt: Attempt; state: string; query: URLSearchParams },
): Promise<string> => {
  const { now, transactAsSystem } = ask
  const returned = new URL(`${attempt.origin}/sso/callback?${query}`)
  const identity = await deps.providers.openIdentity(company, state, returned)
  return transactAsSystem((db) => userOfIdentity(db, company, identity, now, (userId) => noteLinked(db, deps, ask, company, userId)))
}

/**
 * Takes a posted answer (SAML). The browser's cookie does not come along with a foreign site's post, so that whom it names is only noted;
 * the browser itself comes for it with its next request.
 * @returns the address of that next request, or the sign-in page with what is wrong
 */
export const receiveSaml = async (deps: SsoDeps, ask: SsoAsk, posted: { SAMLResponse: string; RelayState: string }): Promise<string> => {
  const { now, transactAsSystem } = ask
  const state = posted.RelayState
  const stateHash = secretHash(state)
  const attempt = SECRET.test(state) ? await transactAsSystem((db) => waitingAttempt(db, stateHash, now)) : undefined
  if (attempt === undefined) return failed(deps, new SignOnFailed('stale', 'nothing waits for this answer'))
  const target = attempt.target ?? undefined
  const company = await companyOf(ask, attempt)
  if (company === undefined) return failed(deps, new SignOnFailed('denied', 'the company was blocked meanwhile'), { target })
  try {
    if (company.kind !== 'saml') throw new SignOnFailed('unbelievable', 'the company’s provider does not speak SAML')
    const identity = await deps.providers.samlIdentity(company, state, attempt.origin, posted.SAMLResponse)
    const isFirst = await transactAsSystem(async (db) => {
      const userId = await userOfIdentity(db, company, identity, now, (id) => noteLinked(db, deps, ask, company, id))
      return answerAttempt(db, stateHash, userId, now)
    })
    if (!isFirst) throw new SignOnFailed('stale', 'a second answer')
    return `/sso/callback?${new URLSearchParams({ state })}`
  } catch (error) {
    await noteRefused(deps, ask, company, error)
    if (!(error instanceof SignOnFailed && error.trouble === 'stale')) await transactAsSystem((db) => dropAttempt(db, stateHash))
    return failed(deps, error, { company, target })
  }
}

/** Tells the audit log that a person of the company became a user of ours. To be called last in the transaction that links. */
const noteLinked = async (
  db: SystemDb,
  { keys }: SsoDeps,
  { now, requestInfo }: SsoAsk,
  company: Company,
  userId: string,
): Promise<void> => {
  const user = await userById(db, userId)
  await writeAudit(db, keys, now, {
    resellerId: company.resellerId,
    action: 'sso.linked',
    actor: { kind: 'user', id: userId, name: user?.displayName ?? '' },
    subject: `company ${company.name}`,
    source: requestInfo.address,
  })
}

/** Tells it of a person whom the company vouches for, and who is nobody here. */
const noteRefused = async (
  { keys }: SsoDeps,
  { now, requestInfo, transactAsSystem }: SsoAsk,
  company: Company,
  error: unknown,
): Promise<void> => {
  if (!(error instanceof SignOnFailed) || error.trouble !== 'stranger') return
  await transactAsSystem((db) =>
    writeAudit(db, keys, now, {
      resellerId: company.resellerId,
      action: 'sso.link-refused',
      actor: { kind: 'system', name: 'single sign-on' },
      subject: `company ${company.name}`,
      source: requestInfo.address,
      detail: error.reason,
    }),
  )
}

/** The sign-in page for a person who came too often: a browser shows them nothing else that they could read. */
export const tooOftenPage = (b: string): string => signInPage({ e: FAILED, why: 'often', b: b.trim() || undefined })

/** The sign-in page with what is wrong. What exactly goes to the log alone, without anybody's data. */
const failed = (
  deps: SsoDeps,
  error: unknown,
  { company, target }: { company?: Company | undefined; target?: string | undefined } = {},
): string => {
  if (!(error instanceof SignOnFailed)) throw error
  const { trouble, reason } = error
  deps.log.warn({ companyId: company?.id ?? null, trouble, reason }, 'a single sign-on came to nothing')
  return signInPage({ e: FAILED, why: trouble, b: company?.name, r: target })
}

const signInPage = (query: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `/login?${given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}
