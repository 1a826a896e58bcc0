import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { ENDPOINTS } from '@counterfoil/contract/endpoints'
import { CUSTOMER_HEADER } from '@counterfoil/contract/kit/http/customer-header'
import type { Endpoint } from '@counterfoil/contract/kit/http/endpoint'
import { ERRORS, type ErrorCode, problemType } from '@counterfoil/contract/kit/http/error-codes'
import { Failure, TokenFailure } from '@counterfoil/contract/kit/http/failure'
import { PORTAL_CLIENT, type TokenResponse } from '@counterfoil/contract/sign-in'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { PASSWORD, type TestPerson } from './people.ts'

export type Answer = LightMyRequestResponse
export type Headers = Readonly<Record<string, string | string[]>>

/** The tokens and the cookie of a signed-in user. */
export interface TestSession {
  readonly accessToken: string
  readonly refreshToken: string
  /** In the syntax of a Cookie header; null for a machine client. */
  readonly cookie: string | null
}

/** The whole body of a refusal, as every endpoint but those of OAuth answers it. */
export const problemBody = (code: ErrorCode, message: string, more: Pick<Partial<Failure>, 'userMessage' | 'errors'> = {}): Failure => ({
  type: problemType(code),
  title: ERRORS[code].title,
  status: ERRORS[code].status,
  detail: message,
  code,
  message,
  ...more,
})

/** Every endpoint of the contract. */
export const allEndpoints: readonly Endpoint[] = Object.values(ENDPOINTS).flatMap((area): Endpoint[] => Object.values(area))

const ajv = new Ajv({ strict: false })
formats.default(ajv)
const validators = new Map<object, ValidateFunction>()

const schemaErrors = (schema: object, value: unknown): string | null => {
  const check = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, check)
  return check(value) ? null : ajv.errorsText(check.errors)
}

const endpointAt = (method: string, url: string): Endpoint | undefined => {
  const path = new URL(url, 'http://portal').pathname
  return allEndpoints.find(
    (endpoint) => endpoint.method === method && new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
}

/** Sends a request and checks the response against the contract. */
export const sendRequest = async (app: FastifyInstance, options: InjectOptions & { url: string }): Promise<Answer> => {
  const answer = await app.inject(options)
  const endpoint = endpointAt(options.method ?? 'GET', options.url)
  if (endpoint !== undefined) expectContract(endpoint, answer)
  return answer
}

const expectContract = (endpoint: Endpoint, answer: Answer): void => {
  const at = `${endpoint.method} ${endpoint.path} ${answer.statusCode}`
  if (answer.statusCode >= 400) {
    expect(schemaErrors(endpoint.form === true ? TokenFailure : Failure, answer.json()), at).toBeNull()
    expect(answer.headers['content-type'], at).toMatch(endpoint.form === true ? /^application\/json/ : /^application\/problem\+json/)
  } else if (endpoint.response === null) {
    expect([answer.statusCode, answer.body], at).toEqual([204, ''])
  } else if ('file' in endpoint.response && typeof endpoint.response.file === 'string') {
    expect(answer.headers['content-type'], at).toMatch(new RegExp(`^${endpoint.response.file.replace('*', '.+')}(;.*)?$`))
  } else {
    expect(schemaErrors(endpoint.response, answer.json()), at).toBeNull()
  }
}

/** Posts a form; a list repeats its field. */
export const postForm = (
  app: FastifyInstance,
  url: string,
  fields: Readonly<Record<string, string | string[]>>,
  headers: Headers = {},
  remoteAddress = '127.0.0.1',
): Promise<Answer> => {
  const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]))
  return sendRequest(app, {
    method: 'POST',
    url,
    payload: new URLSearchParams(pairs).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    remoteAddress,
  })
}

interface Client {
  readonly client_id: string
  readonly client_secret: string
}
export const PORTAL: Client & Record<string, string> = { client_id: PORTAL_CLIENT.id, client_secret: PORTAL_CLIENT.secret }
export const MACHINE: typeof PORTAL = { client_id: 'nightly-export', client_secret: 'anything' }

/** One attempt to sign in by password. */
export const trySignIn = (
  app: FastifyInstance,
  fields: Readonly<Record<string, string | string[]>>,
  headers: Headers = {},
  remoteAddress = '127.0.0.1',
): Promise<Answer> => postForm(app, '/token', { grant_type: 'password', password: PASSWORD, ...PORTAL, ...fields }, headers, remoteAddress)

/** A cookie that a response sets, in the syntax of a Cookie header. */
export const setCookieOf = (answer: Answer, name: string): string | undefined =>
  [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((set) => set.split(';')[0] ?? '')
    .find((pair) => pair.replace('__Host-', '').startsWith(`${name}=`))

/** Where people may reach a portal: plain http on this machine and elsewhere, and https. */
export const PUBLIC_URLS = ['http://localhost:3000', 'http://billing.example.com', 'https://billing.example.com'] as const

/** Fails unless every cookie that is set is kept by every browser: Secure, and named __Host-, with https only. */
export const expectKeptCookies = (answer: Pick<Answer, 'headers'>, publicUrl: string): void => {
  const cookies = [answer.headers['set-cookie'] ?? []].flat()
  const isHttps = publicUrl.startsWith('https:')
  expect(cookies.map((set) => [set.startsWith('__Host-'), set.includes('; Secure')])).toEqual(cookies.map(() => [isHttps, isHttps]))
  expect(cookies).not.toEqual([])
}

/** The session of a token response. */
export const sessionOf = (answer: Answer): TestSession => {
  expect(answer.statusCode, answer.body).toBe(200)
  const { access_token: accessToken, refresh_token: refreshToken } = answer.json<TokenResponse>()
  return { accessToken, refreshToken, cookie: setCookieOf(answer, 'counterfoil') ?? null }
}

/** Signs a user in as the portal does. */
export const signInAs = async (app: FastifyInstance, person: Pick<TestPerson, 'username'>, client = PORTAL): Promise<TestSession> =>
  sessionOf(await trySignIn(app, { username: person.username, ...client }))

/** Exchanges a refresh token. */
export const refresh = (
  app: FastifyInstance,
  token: string,
  cookie: string | null,
  client = PORTAL,
  headers: Headers = {},
): Promise<Answer> =>
  postForm(
    app,
    '/token',
    { grant_type: 'refresh_token', refresh_token: token, ...client },
    { ...(cookie === null ? {} : { cookie }), ...headers },
  )

/** A client of a signed-in user for one customer; null omits the customer header. */
export const clientFor = (app: FastifyInstance, session: { readonly accessToken: string }, customerId: number | string | null = null) => {
  const authorizedHeaders = (more: Headers): Headers => ({
    authorization: `Bearer ${session.accessToken}`,
    ...(customerId === null ? {} : { [CUSTOMER_HEADER]: String(customerId) }),
    ...more,
  })
  return {
    get: (url: string, headers: Headers = {}) => sendRequest(app, { method: 'GET', url, headers: authorizedHeaders(headers) }),
    post: (url: string, body: object, headers: Headers = {}) =>
      sendRequest(app, { method: 'POST', url, payload: body, headers: authorizedHeaders(headers) }),
    put: (url: string, body: object) => sendRequest(app, { method: 'PUT', url, payload: body, headers: authorizedHeaders({}) }),
    remove: (url: string) => sendRequest(app, { method: 'DELETE', url, headers: authorizedHeaders({}) }),
  }
}

/** The parts of a response that do not change between equal requests: all but the request's id and the date. */
export const comparableResponse = ({ statusCode, headers, body }: Answer): object => {
  const { 'x-request-id': _, date: __, ...rest } = headers
  return { statusCode, headers: rest, body }
}
