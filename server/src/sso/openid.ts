import * as openid from 'openid-client'
import type { Keys } from '../kit/keys.ts'
import type { Company } from './organizations.queries.ts'
import { type Identity, SignOnFailed } from './identity.ts'
import { isLoopback, isSafeAddress } from './loopback.ts'
import { PROVIDER_SECONDS, providerFetch } from './provider-fetch.ts'
import { clientSecretOf, secretsOf } from './secrets.ts'

/** How long a provider's description is taken for true without asking again. */
const FRESH_MS = 10 * 60_000

/** The way to a provider and back, by OpenID Connect: code flow with PKCE, state and nonce. */
export interface OpenId {
  /** Where the browser goes. @throws SignOnFailed when the provider does not answer, or answers nonsense */
  address(company: Company, state: string, redirectUri: string): Promise<string>
  /** Whom the provider names, after it sent the browser back to `returned`. @throws SignOnFailed for whatever cannot be believed */
  identity(company: Company, state: string, returned: URL): Promise<Identity>
}

export const openIdConnect = (keys: Keys, now: () => number): OpenId => {
  const known = new Map<number, { changedAt: number; until: number; configuration: Promise<openid.Configuration> }>()

  /** The provider's description; whoever asks while it is being fetched waits for the same answer. A failure is not remembered. */
  const configurationOf = (company: Company): Promise<openid.Configuration> => {
    const entry = known.get(company.id)
    if (entry !== undefined && entry.changedAt === company.changedAt.getTime() && entry.until > now()) return entry.configuration
    const configuration = discovered(keys, company)
    known.set(company.id, { changedAt: company.changedAt.getTime(), until: now() + FRESH_MS, configuration })
    configuration.catch(() => known.delete(company.id))
    return configuration
  }

  return {
    address: (company, state, redirectUri) =>
      explained(async () => {
        const { nonce, verifier } = secretsOf(keys, state)
        const address = openid.buildAuthorizationUrl(await configurationOf(company), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state,
          nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return address.href
      }),
    identity: (company, state, returned) =>
      explained(async () => {
        const configuration = await configurationOf(company)
        const { nonce, verifier } = secretsOf(keys, state)
        const tokens = await openid.authorizationCodeGrant(configuration, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new SignOnFailed('unbelievable', 'no id token')
        const told = claims['email'] === undefined ? await userInfo(configuration, tokens.access_token, claims.sub) : claims
        return { issuer: claims.iss, subject: claims.sub, email: emailOf(told, company) }
      }),
  }
}

const discovered = async (keys: Keys, company: Company): Promise<openid.Configuration> => {
  const { resellerId, clientId, clientSecret, issuer } = company
  if (clientId === null || clientSecret === null) throw new SignOnFailed('unbelievable', 'the company has no client')
  const server = new URL(issuer)
  const secret = opened(keys, resellerId, clientSecret)
  const configuration = await openid.discovery(server, clientId, {}, clientAuthentication(secret), {
    [openid.customFetch]: providerFetch,
    timeout: PROVIDER_SECONDS,
    // The signature of an ID token is checked although it came over TLS: a provider's front may be another's than its keys.
    execute: [openid.enableNonRepudiationChecks, ...(isLoopback(server.hostname) ? [openid.allowInsecureRequests] : [])],
  })
  const { issuer: named, authorization_endpoint: form = '', token_endpoint: exchange = '' } = configuration.serverMetadata()
  if (named !== issuer) throw new SignOnFailed('unbelievable', 'the provider says that it is another issuer')
  if (!isSafeAddress(form) || !isSafeAddress(exchange)) throw new SignOnFailed('unbelievable', 'the provider leads to an unsafe address')
  return configuration
}

const opened = (keys: Keys, resellerId: number, sealed: Buffer): string => {
  try {
    return clientSecretOf(keys, resellerId, sealed)
  } catch (error) {
    throw new SignOnFailed('unbelievable', 'the client secret does not open under this master key', { cause: error })
  }
}

/** As the provider wants the client's secret: in the header, which is what silence means, or in the form. */
const clientAuthentication = (secret: string): openid.ClientAuth => {
  const [inHeader, inForm] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (ways.includes('client_secret_basic') ? inHeader : inForm)(server, ...rest)
  }
}

type Claims = Readonly<Record<string, unknown>>

/** Providers that keep the ID token thin tell the email when they are asked for it. */
const userInfo = async (configuration: openid.Configuration, accessToken: string, subject: string): Promise<Claims> =>
  configuration.serverMetadata().userinfo_endpoint === undefined ? {} : openid.fetchUserInfo(configuration, accessToken, subject)

/** Only what the provider vouches for; a text "true" is not true. */
const emailOf = (told: Claims, { trustEmail }: Company): string | null => {
  const { email, email_verified: isVerified } = told
  if (typeof email !== 'string') return null
  return isVerified === true || (trustEmail && isVerified === undefined) ? email : null
}

/** Words of OAuth for: not now, and not by you. */
const AWAY_CODES = new Set(['server_error', 'temporarily_unavailable'])

const explained = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SignOnFailed) throw error
    if (error instanceof openid.AuthorizationResponseError)
      throw new SignOnFailed(AWAY_CODES.has(error.error) ? 'away' : 'denied', 'the provider answered with an error', { cause: error })
    if (error instanceof openid.ResponseBodyError)
      throw new SignOnFailed(error.status >= 500 ? 'away' : 'unbelievable', 'the provider refused the exchange', { cause: error })
    throw new SignOnFailed(isAway(error) ? 'away' : 'unbelievable', codeOf(error), { cause: error })
  }
}

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown')
}

/** No answer, too late, or a status that says so: the provider is away, which is not the same as lying. */
const isAway = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (['TimeoutError', 'AbortError'].includes(error.name) || ['OAUTH_TIMEOUT', 'OAUTH_ABORT'].includes(codeOf(error))) return true
  if (error instanceof TypeError && error.message === 'fetch failed') return true
  return error.cause instanceof Response && error.cause.status >= 500
}
