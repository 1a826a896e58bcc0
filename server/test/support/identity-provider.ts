import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

/** What a test makes the provider respond instead. */
export interface ProviderOverrides {
  /** Fields of its metadata. */
  description?: Record<string, unknown>
  claims?: JWTPayload
  /** Creates the ID token from the correct claims. */
  idToken?: (claims: JWTPayload) => string | Promise<string>
  userInfo?: Record<string, unknown>
  /** Handles a path instead of the provider. */
  answer?: Record<string, (response: ServerResponse) => void>
}

/** An OpenID provider for tests. */
export interface TestIdentityProvider {
  readonly issuer: string
  readonly client: { readonly id: string; readonly secret: string }
  readonly keys: { readonly privateKey: CryptoKey; readonly publicJwk: JWK }
  /** Replaces all overrides. */
  override(overrides: ProviderOverrides): void
  /** The person who signs in next. */
  person: Record<string, unknown> & { sub: string }
  /** Signs the person in at an authorization URL; returns where the browser is redirected. */
  signInAt(address: string, change?: (back: URL) => void): string
  /** The requested paths. */
  readonly requestedPaths: string[]
  close(): Promise<void>
}

const CLIENT = { id: 'portal', secret: 'a secret, with signs: +/%&' }

export const startIdentityProvider = async (): Promise<TestIdentityProvider> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const publicJwk = { ...(await exportJWK(publicKey)), kid: 'first', use: 'sig', alg: 'RS256' }
  const codes = new Map<string, { challenge: string; nonce: string; redirectUri: string; person: Record<string, unknown> }>()
  let overrides: ProviderOverrides = {}
  const requestedPaths: string[] = []
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the provider listens on no port')
  const issuer = `http://127.0.0.1:${address.port}`

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', issuer).pathname
    requestedPaths.push(path)
    const override = overrides.answer?.[path]
    if (override !== undefined) return override(response)
    if (path === '/.well-known/openid-configuration') return json(response, { ...description(issuer), ...overrides.description })
    if (path === '/jwks') return json(response, { keys: [publicJwk] })
    if (path === '/userinfo') return json(response, { ...lastPerson, ...overrides.userInfo })
    if (path === '/token') return token(await bodyOf(request), request.headers.authorization ?? '', response)
    return json(response, {}, 404)
  }

  let lastPerson: Record<string, unknown> = {}
  const token = async (form: URLSearchParams, authorization: string, response: ServerResponse): Promise<void> => {
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const pair = `${encodeURIComponent(CLIENT.id)}:${encodeURIComponent(CLIENT.secret)}`
    const [id, secret] = decodeBasicAuth(authorization)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (`${id}:${secret}` !== pair) return json(response, { error: 'invalid_client' }, 401)
    if (code === undefined || code.challenge !== challenge || code.redirectUri !== form.get('redirect_uri'))
      return json(response, { error: 'invalid_grant' }, 400)
    lastPerson = code.person
    const now = Math.floor(Date.now() / 1_000)
    const claims = {
      iss: issuer,
      aud: CLIENT.id,
      iat: now,
      exp: now + 300,
      nonce: code.nonce,
      sub: String(code.person['sub']),
      ...overrides.claims,
    }
    const idToken =
      (await overrides.idToken?.(claims)) ?? (await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'first' }).sign(privateKey))
    return json(response, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: idToken })
  }

  const provider: TestIdentityProvider = {
    issuer,
    client: CLIENT,
    keys: { privateKey, publicJwk },
    requestedPaths,
    person: { sub: 'somebody' },
    override: (values) => {
      overrides = values
    },
    signInAt: (to, change) => {
      const query = new URL(to).searchParams
      const code = randomUUID()
      const redirectUri = query.get('redirect_uri') ?? ''
      codes.set(code, {
        challenge: query.get('code_challenge') ?? '',
        nonce: query.get('nonce') ?? '',
        redirectUri,
        person: provider.person,
      })
      const back = new URL(redirectUri)
      back.search = new URLSearchParams({ code, state: query.get('state') ?? '', iss: issuer }).toString()
      change?.(back)
      return back.pathname + back.search
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return provider
}

const json = (response: ServerResponse, body: object, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const description = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  authorization_response_iss_parameter_supported: true,
})

const decodeBasicAuth = (authorization: string): string[] =>
  Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':')
    .map((part) => encodeURIComponent(decodeURIComponent(part.replaceAll('+', ' '))))

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return new URLSearchParams(Buffer.concat(pieces).toString())
}
