import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../../src/context.ts'
import { type OrganizationSettings, storeOrganization } from '../../src/sso/organization-settings.queries.ts'
import { sealClientSecret } from '../../src/sso/secrets.ts'
import type { Answer, Headers } from './http-client.ts'
import { postForm, PORTAL } from './http-client.ts'

/** Inserts an organization with OpenID Connect; returns its id. */
export const addOrganization = async (
  context: AppContext,
  tenant: { resellerId: number; brandId: number },
  values: Partial<OrganizationSettings> & { secret?: string } = {},
): Promise<number> => {
  const { secret = 'a secret', ...settings } = values
  const organization: OrganizationSettings = {
    resellerId: tenant.resellerId,
    brandId: tenant.brandId,
    name: 'orbit',
    kind: 'oidc',
    issuer: 'https://login.orbit.example',
    clientId: 'portal',
    clientSecret: sealClientSecret(context.keys, tenant.resellerId, secret),
    trustEmail: false,
    signOnUrl: null,
    emailAttribute: null,
    certificates: [],
    domains: ['orbit.example'],
    isBlocked: false,
    ...settings,
  }
  return context.store.transact({ role: 'counterfoil_reseller', resellerId: tenant.resellerId }, (db) =>
    storeOrganization(db, organization, context.clock()),
  )
}

/** A browser that was redirected to its provider: the URL and the cookie. */
export interface SignOnRedirect {
  readonly status: number
  readonly location: string
  readonly cookie: string
}

/** Begins single sign-on, as a browser does. */
export const startSignOn = async (
  app: FastifyInstance,
  query: Readonly<Record<string, string>>,
  headers: Headers = {},
  remoteAddress = '127.0.0.1',
): Promise<SignOnRedirect> => {
  const answer = await app.inject({
    url: `/sso/login?${new URLSearchParams(query)}`,
    headers: { host: 'localhost:3000', ...headers },
    remoteAddress,
  })
  const set = answer.headers['set-cookie']
  return {
    status: answer.statusCode,
    location: String(answer.headers.location),
    cookie: typeof set === 'string' ? (set.split(';')[0] ?? '') : '',
  }
}

/** Returns to the portal; gives the URL of the next redirect. */
export const returnFromProvider = async (app: FastifyInstance, path: string, cookie: string, host = 'localhost:3000'): Promise<URL> => {
  const answer = await app.inject({ url: path, headers: { host, cookie } })
  return new URL(String(answer.headers.location), `http://${host}`)
}

/** Exchanges a sign-on code, as the portal does. @param headers the cookie of the browser that began, above all */
export const redeemCode = (
  app: FastifyInstance,
  code: string,
  redirectUri = 'http://localhost:3000/login',
  headers: Headers = {},
): Promise<Answer> =>
  postForm(
    app,
    '/token',
    { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...PORTAL },
    { host: 'localhost:3000', ...headers },
  )

/** The error of the sign-in page; null without one. */
export const errorOf = (address: URL): string | null => address.searchParams.get('e')
