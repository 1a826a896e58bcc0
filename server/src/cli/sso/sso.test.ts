import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OperatorError } from '../../kit/api-error.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addBrand, addTenant, addPerson, queryAsAdministrator } from '../../../test/support/people.ts'
import { linkIdentity } from '../../sso/organization-settings.queries.ts'
import { unsealClientSecret } from '../../sso/secrets.ts'
import { samlMetadata } from '../../../../sandbox/src/identity/saml-messages.ts'
import type { Options } from '../command.ts'
import { dispatchCommand } from '../program/dispatch.ts'

let context: TestContext
let tenant: Awaited<ReturnType<typeof addTenant>>

beforeAll(async () => {
  context = await testContext()
  tenant = await addTenant(context, { reseller: { name: 'Orbit' }, brand: { name: 'Orbit' } })
})
afterAll(() => context.close())

/** Runs a command; files are given by name. */
const run = async (command: string, options: Options, files: Record<string, string> = {}) => {
  const lines: string[] = []
  const io = {
    out: (line: string) => void lines.push(line),
    err: (line: string) => void lines.push(line),
    json: options['json'] === true,
    openFile: async (path: string) => {
      const text = files[path]
      if (text === undefined) throw new OperatorError(`There is no file ${path}.`)
      return { bytes: text.length, open: () => Readable.from([Buffer.from(text)]) }
    },
  }
  const code = await dispatchCommand(command, context, io, [], options)
  return { code, said: lines, json: () => JSON.parse(lines.join('')) }
}

const OIDC = {
  reseller: 'Orbit',
  company: 'orbit',
  brand: 'Orbit',
  kind: 'oidc',
  issuer: 'https://login.orbit.example/tenant',
  clientId: 'portal',
  clientSecretFile: '-',
  domain: ['orbit.example @Orbit-Labs.example'],
}

test('[SSO-01] an organization is set, shown and listed, and its secret is shown nowhere', async () => {
  const set = await run('sso set', { ...OIDC, json: true }, { '-': ' the secret\n' })
  const expected = {
    id: expect.any(Number) as number,
    name: 'orbit',
    brand: { id: tenant.brandId, name: 'Orbit' },
    kind: 'oidc',
    issuer: 'https://login.orbit.example/tenant',
    clientId: 'portal',
    hasSecret: true,
    trustEmail: false,
    signOnUrl: null,
    callbackUrl: `${context.config.publicUrl}/sso/callback`,
    entityId: null,
    changedAt: context.clock().toISOString(),
    emailAttribute: null,
    certificates: [],
    domains: ['orbit-labs.example', 'orbit.example'],
    isBlocked: false,
    people: 0,
  }
  expect([set.code, set.json()]).toEqual([0, expected])
  expect((await run('sso show', { reseller: 'Orbit', company: 'ORBIT', json: true })).json()).toEqual(expected)
  expect((await run('sso list', { reseller: String(tenant.resellerId), json: true })).json()).toEqual({ companies: [expected] })
  const words = await run('sso show', { reseller: 'Orbit', company: 'orbit' })
  expect(words.said.join('\n')).toContain('http://localhost:3000/sso/callback')
  const [row] = await queryAsAdministrator<{ secret: Buffer; text: string }>(
    context,
    'select client_secret as secret, c::text as text from sso_organization c',
  )
  expect(row?.text).not.toContain('the secret')
  expect(unsealClientSecret(context.keys, tenant.resellerId, row?.secret ?? Buffer.alloc(0))).toBe('the secret')
  expect(() => unsealClientSecret(context.keys, tenant.resellerId + 1, row?.secret ?? Buffer.alloc(0))).toThrow()
})

test('[SSO-01] what is not named stays as it was', async () => {
  const changed = await run('sso set', { reseller: 'Orbit', company: 'orbit', block: true, json: true })
  expect(changed.json()).toMatchObject({
    isBlocked: true,
    clientId: 'portal',
    hasSecret: true,
    domains: ['orbit-labs.example', 'orbit.example'],
  })
  expect(
    (await run('sso set', { reseller: 'Orbit', company: 'orbit', unblock: true, domain: ['orbit.example'], json: true })).json(),
  ).toMatchObject({
    isBlocked: false,
    domains: ['orbit.example'],
  })
})

test('[SSO-05] an organization with SAML is set from its provider’s metadata; the attribute of its email can be named, and taken back', async () => {
  const files = { 'idp.xml': samlMetadata('https://login.orbit.example') }
  const set = await run(
    'sso set',
    { reseller: 'Orbit', company: 'by saml', brand: 'Orbit', kind: 'saml', metadata: 'idp.xml', domain: ['saml.example'], json: true },
    files,
  )
  expect(set.json()).toMatchObject({
    kind: 'saml',
    issuer: 'urn:counterfoil:sandbox:saml',
    signOnUrl: 'https://login.orbit.example/saml/sso',
    certificates: [expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/)],
    clientId: null,
    hasSecret: false,
    emailAttribute: null,
  })
  const change = async (emailAttribute: string) =>
    (await run('sso set', { reseller: 'Orbit', company: 'by saml', emailAttribute, json: true })).json()
  expect(await change(' workEmail ')).toMatchObject({ emailAttribute: 'workEmail', kind: 'saml' })
  expect(await change('')).toMatchObject({ emailAttribute: null })
  await expect(change('work email')).rejects.toThrow('without blanks')
})

const METADATA = samlMetadata('https://login.orbit.example')

test.each<[string, Options, RegExp]>([
  ['an unknown reseller', { ...OIDC, reseller: 'Nobody' }, /There is no reseller named Nobody/],
  ['an unknown brand', { ...OIDC, brand: 'Nothing' }, /no brand named Nothing/],
  ['no brand for a new company', { ...OIDC, company: 'new', domain: ['new.example'], brand: undefined }, /--brand/],
  ['a name that no header carries', { ...OIDC, company: 'Ørbit' }, /plain ASCII/],
  ['an empty name', { ...OIDC, company: ' ' }, /1 to 100 characters/],
  ['another kind', { ...OIDC, kind: 'ldap' }, /oidc or saml/],
  ['no kind for a new company', { ...OIDC, company: 'new', kind: undefined }, /--kind/],
  ['an issuer without TLS', { ...OIDC, issuer: 'http://login.orbit.example' }, /https:\/\//],
  ['an issuer that is no address', { ...OIDC, issuer: 'orbit' }, /must be the provider's address/],
  ['the address of the description', { ...OIDC, issuer: 'https://a.example/.well-known/openid-configuration' }, /without a query/],
  [
    'no secret for a new company',
    { ...OIDC, company: 'new', domain: ['new.example'], clientSecretFile: undefined },
    /--client-secret-file/,
  ],
  ['an empty secret', { ...OIDC, clientSecretFile: 'empty' }, /1 to 1024 characters/],
  ['a file that is not there', { ...OIDC, clientSecretFile: 'nowhere' }, /There is no file/],
  ['no domain for a new company', { ...OIDC, company: 'new', domain: [''] }, /at least one domain/],
  ['a domain that is none', { ...OIDC, domain: ['orbit'] }, /is no domain/],
  ['a domain of another company of the brand', { ...OIDC, company: 'new', domain: ['orbit.example'] }, /listed by the company orbit/],
  ['no metadata', { ...OIDC, company: 'new', kind: 'saml', domain: ['new.example'], clientSecretFile: undefined }, /--metadata/],
  ['metadata that is no XML', { ...OIDC, kind: 'saml', metadata: 'garbage' }, /no identity provider|well-formed/],
  ['metadata of two providers', { ...OIDC, kind: 'saml', metadata: 'two' }, /more than one/],
  ['metadata with a document type', { ...OIDC, kind: 'saml', metadata: 'doctype' }, /document type/],
  ['metadata without a certificate', { ...OIDC, kind: 'saml', metadata: 'bare' }, /no certificate/],
  ['metadata with a certificate that is none', { ...OIDC, kind: 'saml', metadata: 'broken' }, /cannot be read/],
  ['metadata that leads to a script', { ...OIDC, kind: 'saml', metadata: 'script' }, /does not begin with https/],
  ['metadata for the post binding alone', { ...OIDC, kind: 'saml', metadata: 'posting' }, /HTTP-Redirect/],
])('[SSO-01] %s is refused in a sentence, and nothing is stored', async (_, options, sentence) => {
  const before = await queryAsAdministrator<{ text: string }>(context, 'select c::text as text from sso_organization c order by id')
  const files = {
    '-': 'secret',
    empty: ' \n',
    garbage: 'hello',
    two: `<x xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${METADATA.replace(/<\?xml.*\?>/, '').repeat(2)}</x>`,
    doctype: METADATA.replace('?>', '?><!DOCTYPE x>'),
    bare: METADATA.replace(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/s, ''),
    broken: METADATA.replace(/<ds:X509Certificate>[^<]+/, '<ds:X509Certificate>AAAA'),
    script: METADATA.replace('https://login.orbit.example/saml/sso', 'javascript:alert(1)'),
    posting: METADATA.replace('HTTP-Redirect', 'HTTP-POST'),
  }
  await expect(run('sso set', options, files)).rejects.toThrow(sentence)
  await expect(run('sso set', options, files)).rejects.toBeInstanceOf(OperatorError)
  expect(await queryAsAdministrator<{ text: string }>(context, 'select c::text as text from sso_organization c order by id')).toEqual(
    before,
  )
})

test('[SSO-01] a name of another reseller’s organization is taken, and organizations of other resellers are not shown', async () => {
  const rivals = await addTenant(context, { reseller: { name: 'Rival' }, brand: { name: 'Rival' } })
  await expect(run('sso set', { ...OIDC, reseller: 'Rival', brand: 'Rival', company: 'Orbit' }, { '-': 'secret' })).rejects.toThrow(
    /Another reseller/,
  )
  expect((await run('sso list', { reseller: 'Rival', json: true })).json()).toEqual({ companies: [] })
  await expect(run('sso show', { reseller: 'Rival', company: 'orbit' })).rejects.toThrow('Rival has no company named orbit.')
  await expect(run('sso remove', { reseller: 'Rival', company: 'orbit' })).rejects.toThrow('Rival has no company named orbit.')
  await expect(run('sso set', { ...OIDC, reseller: 'Orbit', brand: 'Rival' }, { '-': 'secret' })).rejects.toThrow(/no brand named Rival/)
  expect(rivals.brandId).not.toBe(await addBrand(context, rivals.resellerId))
})

test('[SSO-01] a link can be removed alone, and is removed with its organization', async () => {
  const person = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId])
  const [organization] = await queryAsAdministrator<{ id: number }>(context, `select id from sso_organization where name = 'orbit'`)
  const link = { resellerId: tenant.resellerId, organizationId: organization?.id ?? 0, issuer: 'i', subject: 's', userId: person.id }
  await context.store.transact({ role: 'counterfoil_reseller', resellerId: tenant.resellerId }, (db) =>
    linkIdentity(db, link, context.clock()),
  )
  expect((await run('sso show', { reseller: 'Orbit', company: 'orbit', json: true })).json()).toMatchObject({ people: 1 })
  expect((await run('sso unlink', { reseller: 'Orbit', company: 'orbit', username: person.username.toUpperCase() })).code).toBe(0)
  await expect(run('sso unlink', { reseller: 'Orbit', company: 'orbit', username: person.username })).rejects.toThrow(/No user/)
  await context.store.transact({ role: 'counterfoil_reseller', resellerId: tenant.resellerId }, (db) =>
    linkIdentity(db, link, context.clock()),
  )
  expect((await run('sso remove', { reseller: 'Orbit', company: 'orbit', json: true })).json()).toEqual({ removed: 'orbit' })
  expect(await queryAsAdministrator(context, 'select 1 from sso_identity')).toEqual([])
})
