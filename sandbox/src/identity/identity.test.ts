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

/** A browser that keeps cookies and follows no redirect by itself. */
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

const toForm = async (visit: ReturnType<typeof browser>): Promise<string> => {
  const sent = await visit(authorize())
  expect(sent.status).toBe(303)
  return sent.headers.get('location') ?? ''
}

const follow = async (visit: ReturnType<typeof browser>, answer: Response): Promise<URL> => {
  const next = answer.headers.get('location') ?? ''
  return next.startsWith(sandbox.url) || next.startsWith('/') ? follow(visit, await visit(next)) : new URL(next)
}

test('[SSO-01] the OpenID provider describes itself under the address that it listens at', async () => {
  const description = await (await fetch(`${sandbox.url}/oidc/.well-known/openid-configuration`)).json()
  expect(description).toMatchObject({ issuer: `${sandbox.url}/oidc`, token_endpoint: `${sandbox.url}/oidc/token` })
})

test('[SSO-01] an account signs in by the form, and its code gives an ID token and a verified email', async () => {
  const visit = browser()
  const form = await toForm(visit)
  expect(await (await visit(form)).text()).toContain('<label for="username">Work email</label>')
  const back = await follow(visit, await visit(form, { username: ' SSO@orbit.example', password: 'Counterfoil-2026!' }))
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

test('[SSO-01] a wrong password shows the form again, with the name that was typed; cancelling goes back with an error', async () => {
  const visit = browser()
  const form = await toForm(visit)
  const wrong = await visit(form, { username: '"><b>me', password: 'no' })
  const page = await wrong.text()
  expect([wrong.status, page.includes('The user name or the password is wrong.')]).toEqual([400, true])
  expect(page).toContain('value="&quot;&gt;&lt;b&gt;me"')
  const back = await follow(visit, await visit(form, { do: 'cancel' }))
  expect(back.searchParams.get('error')).toBe('access_denied')
})

test('[SSO-01] the OpenID provider sends nobody but to a portal beside this machine, and a form without its browser has ended', async () => {
  for (const redirect_uri of [
    'https://attacker.net/sso/callback',
    'http://localhost:3000/other',
    'http://localhost.attacker.net/sso/callback',
  ])
    expect((await browser()(authorize({ redirect_uri }))).status).toBe(400)
  const form = await toForm(browser())
  const stolen = await browser()(form)
  expect([stolen.status, (await stolen.text()).includes('This sign-in has ended')]).toEqual([400, true])
})

const request = (answerTo: string): string =>
  deflateRawSync(
    `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" AssertionConsumerServiceURL="${answerTo}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">a portal</saml:Issuer></samlp:AuthnRequest>`,
  ).toString('base64')

test('[SSO-05] the SAML provider shows a form, and posts an answer for the request to the portal that asked', async () => {
  const visit = browser()
  const fields = { SAMLRequest: request(CALLBACK), RelayState: 'state' }
  expect(await (await visit(`/saml/sso?${new URLSearchParams(fields)}`)).text()).toContain('Work email')
  const page = await (await visit('/saml/sso', { ...fields, username: 'sso@orbit.example', password: 'Counterfoil-2026!' })).text()
  expect(page).toContain(`action="${CALLBACK}"`)
  expect(page).toContain('name="RelayState" value="state"')
  const answer = Buffer.from(/name="SAMLResponse" value="([^"]+)"/.exec(page)?.[1] ?? '', 'base64').toString()
  for (const part of ['InResponseTo="_r"', '>orbit-1001<', '<saml:Audience>a portal<', '<SignatureValue>']) expect(answer).toContain(part)
  const wrong = await visit('/saml/sso', { ...fields, username: 'sso@orbit.example', password: 'no' })
  expect([wrong.status, (await wrong.text()).includes('The user name or the password is wrong.')]).toEqual([400, true])
})

test('[SSO-05] the SAML provider answers nobody but a portal beside this machine', async () => {
  for (const asked of [request('https://attacker.net/sso/callback'), 'garbage', ''])
    expect((await browser()(`/saml/sso?${new URLSearchParams({ SAMLRequest: asked })}`)).status).toBe(400)
  expect(await (await fetch(`${sandbox.url}/saml/metadata`)).text()).toContain(`Location="${sandbox.url}/saml/sso"`)
})

test('[SSO-01] the sandbox’s page names the accounts', async () => {
  const page = await (await fetch(sandbox.url)).text()
  for (const words of ['sso@orbit.example', 'visitor@orbit.example', 'Counterfoil-2026!']) expect(page).toContain(words)
})
