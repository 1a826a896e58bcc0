import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox.ts'

let sandbox: Sandbox
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sandbox-identity-'))
  sandbox = await startSandbox({ port: 0, smtpPort: 0, dir })
})
afterAll(async () => {
  await sandbox.close()
  await rm(dir, { recursive: true })
})

/** A browser that keeps cookies and does not follow redirects. */
const browser = () => {
  const cookies = new Map<string, string>()
  return async (address: string, form?: Record<string, string>): Promise<Response> => {
    const answer = await fetch(new URL(address, sandbox.url), {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
}

const CALLBACK = 'http://localhost:3000/sso/callback'
const verifier = randomBytes(32).toString('base64url')
const authorize = (more: Record<string, string> = {}) =>
  `/oidc/auth?${new URLSearchParams({
    client_id: 'counterfoil',
    response_type: 'code',
    scope: 'openid email',
    redirect_uri: CALLBACK,
    state: 'state',
    nonce: 'nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })}`

const openLoginForm = async (browse: ReturnType<typeof browser>): Promise<string> => {
  const redirect = await browse(authorize())
  expect(redirect.status).toBe(303)
  return redirect.headers.get('location') ?? ''
}

const follow = async (browse: ReturnType<typeof browser>, answer: Response): Promise<URL> => {
  const next = answer.headers.get('location') ?? ''
  return next.startsWith(sandbox.url) || next.startsWith('/') ? follow(browse, await browse(next)) : new URL(next)
}

test('[SSO-01] the OpenID provider’s issuer is its listening address', async () => {
  const description = await (await fetch(`${sandbox.url}/oidc/.well-known/openid-configuration`)).json()
  expect(description).toMatchObject({ issuer: `${sandbox.url}/oidc`, token_endpoint: `${sandbox.url}/oidc/token` })
})

test('[SSO-01] an account signs in with the form, and its code yields an ID token and a verified email', async () => {
  const browse = browser()
  const form = await openLoginForm(browse)
  expect(await (await browse(form)).text()).toContain('<label for="username">Work email</label>')
  const back = await follow(browse, await browse(form, { username: ' SSO@orbit.example', password: 'Counterfoil-2026!' }))
  expect(back.origin + back.pathname).toBe(CALLBACK)
  const exchange = (code: string) =>
    fetch(`${sandbox.url}/oidc/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('counterfoil:counterfoil-sandbox')}` },
      body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier }),
    })
  const tokens = await (await exchange(back.searchParams.get('code') ?? '')).json()
  const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1], 'base64url').toString())
  expect(claims).toMatchObject({ iss: `${sandbox.url}/oidc`, sub: 'orbit-1001', nonce: 'nonce', aud: 'counterfoil' })
  const info = await fetch(`${sandbox.url}/oidc/me`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
  expect(await info.json()).toMatchObject({ sub: 'orbit-1001', email: 'sso@orbit.example', email_verified: true })
  expect((await exchange(back.searchParams.get('code') ?? '')).status).toBe(400)
})

test('[SSO-01] a wrong password shows the form again with the entered name; cancelling returns an error', async () => {
  const browse = browser()
  const form = await openLoginForm(browse)
  const wrong = await browse(form, { username: '"><b>me', password: 'no' })
  const page = await wrong.text()
  expect([wrong.status, page.includes('The user name or the password is wrong.')]).toEqual([400, true])
  expect(page).toContain('value="&quot;&gt;&lt;b&gt;me"')
  const back = await follow(browse, await browse(form, { do: 'cancel' }))
  expect(back.searchParams.get('error')).toBe('access_denied')
})

test('[SSO-01] the OpenID provider redirects only to a portal on this machine, and a form from another browser is rejected', async () => {
  for (const redirect_uri of [
    'https://attacker.net/sso/callback',
    'http://localhost:3000/other',
    'http://localhost.attacker.net/sso/callback',
  ])
    expect((await browser()(authorize({ redirect_uri }))).status).toBe(400)
  const form = await openLoginForm(browser())
  const stolen = await browser()(form)
  expect([stolen.status, (await stolen.text()).includes('This sign-in has ended')]).toEqual([400, true])
})

const encodedRequest = (answerTo: string): string =>
  deflateRawSync(
    `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" AssertionConsumerServiceURL="${answerTo}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">a portal</saml:Issuer></samlp:AuthnRequest>`,
  ).toString('base64')

test('[SSO-05] the SAML provider shows a form and posts the response to the requesting portal', async () => {
  const browse = browser()
  const fields = { SAMLRequest: encodedRequest(CALLBACK), RelayState: 'state' }
  expect(await (await browse(`/saml/sso?${new URLSearchParams(fields)}`)).text()).toContain('Work email')
  const page = await (await browse('/saml/sso', { ...fields, username: 'sso@orbit.example', password: 'Counterfoil-2026!' })).text()
  expect(page).toContain(`action="${CALLBACK}"`)
  expect(page).toContain('name="RelayState" value="state"')
  const answer = Buffer.from(/name="SAMLResponse" value="([^"]+)"/.exec(page)?.[1] ?? '', 'base64').toString()
  for (const part of ['InResponseTo="_r"', '>orbit-1001<', '<saml:Audience>a portal<', '<SignatureValue>']) expect(answer).toContain(part)
  const wrong = await browse('/saml/sso', { ...fields, username: 'sso@orbit.example', password: 'no' })
  expect([wrong.status, (await wrong.text()).includes('The user name or the password is wrong.')]).toEqual([400, true])
})

test('[SSO-05] the SAML provider answers only a portal on this machine', async () => {
  for (const asked of [encodedRequest('https://attacker.net/sso/callback'), 'garbage', ''])
    expect((await browser()(`/saml/sso?${new URLSearchParams({ SAMLRequest: asked })}`)).status).toBe(400)
  expect(await (await fetch(`${sandbox.url}/saml/metadata`)).text()).toContain(`Location="${sandbox.url}/saml/sso"`)
})

test('[SSO-01] the sandbox’s page lists the accounts', async () => {
  const page = await (await fetch(sandbox.url)).text()
  for (const words of ['sso@orbit.example', 'visitor@orbit.example', 'Counterfoil-2026!']) expect(page).toContain(words)
})
