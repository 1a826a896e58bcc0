import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { SignedXml } from 'xml-crypto'
import { openLog } from '../../kit/log.ts'
import { expectKeptCookies, PUBLIC_URLS, refresh, sessionOf } from '../../../test/support/http-client.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { addTenant, addPerson } from '../../../test/support/people.ts'
import { EMAIL, PERSISTENT, SAML_SHAPES, type SamlAttribute, type SamlShape, UNSPECIFIED } from '../../../test/support/saml-shapes.ts'
import {
  addOrganization,
  returnFromProvider,
  errorOf,
  type SignOnRedirect,
  redeemCode,
  startSignOn,
} from '../../../test/support/single-sign-on.ts'

let context: TestContext
let app: FastifyInstance
let tenant: Awaited<ReturnType<typeof addTenant>>
const logged: string[] = []
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const foreign = generateKeyPairSync('rsa', { modulusLength: 2_048 })

const ISSUER = 'https://login.orbit.example/saml'
const ENTITY = 'http://localhost:3000/sso/metadata'
const ANSWER = 'http://localhost:3000/sso/callback'

beforeAll(async () => {
  context = await testContext(
    { LIMITS: 'company=100000/1s link=100000/1s anonymous=100000/1s' },
    { log: openLog('debug', { write: (line: string) => void logged.push(line) }) },
  )
  app = await context.app()
  tenant = await addTenant(context)
  await setEmailAttribute(null)
})
afterAll(() => context.close())

/** Makes the organization, or changes which attribute has the email. */
const setEmailAttribute = (emailAttribute: string | null): Promise<number> =>
  addOrganization(context, tenant, {
    kind: 'saml',
    issuer: ISSUER,
    clientId: null,
    clientSecret: null,
    signOnUrl: 'https://login.orbit.example/saml/sso',
    emailAttribute,
    certificates: [publicKey.export({ type: 'spki', format: 'pem' }).toString()],
  })

const loggedFailures = (): { kind?: string; reason?: string } =>
  logged.map((line) => JSON.parse(line)).findLast(({ msg }) => msg === 'a single sign-on failed') ?? {}

/** The values of an assertion; each test changes some. */
interface AssertionValues {
  id: string
  issuer: string
  subject: string
  format: string | null
  email: string
  inResponseTo: string | null
  responseTo: string | null
  recipient: string | null
  audience: string | null
  method: string
  from: number
  until: number
  issuedAt: number
}

const instant = (ms: number): string => new Date(ms).toISOString()
const optional = (name: string, value: string | null | undefined): string => (value == null ? '' : ` ${name}="${value}"`)
const SAML = 'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'
let last = 0

const validValues = (requestId: string): AssertionValues => {
  const now = Date.now()
  last += 1
  return {
    id: `_assertion${last}`,
    issuer: ISSUER,
    subject: 'subject',
    format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    email: 'person@orbit.example',
    inResponseTo: requestId,
    responseTo: requestId,
    recipient: ANSWER,
    audience: ENTITY,
    method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
    from: now - 1_000,
    until: now + 60_000,
    issuedAt: now,
  }
}

const assertionOf = (assertion: AssertionValues): string =>
  `<saml:Assertion ${SAML} ID="${assertion.id}" Version="2.0" IssueInstant="${instant(assertion.issuedAt)}"><saml:Issuer>${assertion.issuer}</saml:Issuer><saml:Subject><saml:NameID${optional('Format', assertion.format)}>${assertion.subject}</saml:NameID><saml:SubjectConfirmation Method="${assertion.method}"><saml:SubjectConfirmationData${optional('InResponseTo', assertion.inResponseTo)}${optional('Recipient', assertion.recipient)} NotOnOrAfter="${instant(assertion.until)}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${instant(assertion.from)}" NotOnOrAfter="${instant(assertion.until)}">${assertion.audience === null ? '' : `<saml:AudienceRestriction><saml:Audience>${assertion.audience}</saml:Audience></saml:AudienceRestriction>`}</saml:Conditions><saml:AuthnStatement AuthnInstant="${instant(assertion.issuedAt)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="email"><saml:AttributeValue>${assertion.email}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>`

const responseOf = (assertion: AssertionValues, content: string): string =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_response${last}" Version="2.0" IssueInstant="${instant(assertion.issuedAt)}"${optional('InResponseTo', assertion.responseTo)} Destination="${ANSWER}"><saml:Issuer ${SAML}>${assertion.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${content}</samlp:Response>`

/** Signs the element of this name, as a provider does. */
const signElement = (
  xml: string,
  key: KeyObject = privateKey,
  element = 'Assertion',
  signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
): string => {
  const path = `//*[local-name(.)='${element}']`
  const signature = new SignedXml({
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }),
    signatureAlgorithm,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  signature.addReference({
    xpath: path,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  })
  signature.computeSignature(xml, { location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' } })
  return signature.getSignedXml()
}

interface Request {
  readonly way: SignOnRedirect
  readonly state: string
  readonly requestId: string
}

const begin = async (query: Record<string, string> = {}, at = app, host = 'localhost:3000'): Promise<Request> => {
  const way = await startSignOn(at, { b: 'orbit', ...query }, { host })
  const { searchParams } = new URL(way.location)
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  return { way, state: searchParams.get('RelayState') ?? '', requestId: /ID="([^"]+)"/.exec(xml)?.[1] ?? '' }
}

/** Posts a response as the provider's page makes the browser do: from another site, without the cookie. */
const post = async (xml: string, state: string, at = app, host = 'localhost:3000'): Promise<URL> => {
  const answer = await at.inject({
    method: 'POST',
    url: '/sso/callback',
    payload: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: state }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', host, origin: 'https://login.orbit.example' },
  })
  expect(answer.statusCode).toBe(303)
  return new URL(String(answer.headers.location), 'http://localhost:3000')
}

const finish = (step: URL, cookie: string): Promise<URL> => returnFromProvider(app, step.pathname + step.search, cookie)

/** Runs a whole sign-on with one response. */
const signOn = async (make: (assertion: AssertionValues) => string, request?: Request): Promise<URL> => {
  const { way, state, requestId } = request ?? (await begin())
  const step = await post(make(validValues(requestId)), state)
  return step.pathname === '/login' ? step : finish(step, way.cookie)
}

test('[SSO-05] the request is a redirect to the provider and names this portal and its response URL', async () => {
  const { way } = await begin()
  const address = new URL(way.location)
  expect(address.origin + address.pathname).toBe('https://login.orbit.example/saml/sso')
  const xml = inflateRawSync(Buffer.from(address.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  expect(xml).toContain(`AssertionConsumerServiceURL="${ANSWER}"`)
  expect(xml).toContain(`>${ENTITY}</saml:Issuer>`)
})

test('[SSO-05] the portal’s metadata names the requested host', async () => {
  const assertion = async (host: string) => (await app.inject({ url: '/sso/metadata', headers: { host } })).body
  expect(await assertion('localhost:3000')).toContain(`entityID="${ENTITY}"`)
  expect(await assertion('localhost:3000')).toContain(`Location="${ANSWER}"`)
  expect(await assertion('attacker.net')).toContain(`Location="${ANSWER}"`)
})

test('[SSO-05] a signed assertion links the user of that email the first time, and names the same user ever after', async () => {
  const user = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], { email: 'person@orbit.example' })
  for (const email of ['person@orbit.example', 'another@orbit.example']) {
    const request = await begin({ r: '/usage' })
    const back = await signOn((assertion) => signElement(responseOf(assertion, assertionOf({ ...assertion, email }))), request)
    expect([back.pathname, back.searchParams.get('r'), errorOf(back)]).toEqual(['/login', '/usage', null])
    const { accessToken } = sessionOf(await redeemCode(app, back.searchParams.get('code') ?? '', undefined, { cookie: request.way.cookie }))
    expect(decodeJwt(accessToken)).toMatchObject({ sub: user.id })
  }
})

test.each(PUBLIC_URLS)('[SSO-05] at %s a browser keeps the cookies of a sign-on, and its session is refreshed', async (publicUrl) => {
  const there = await context.app({ publicUrl })
  const { host, origin } = new URL(publicUrl)
  const email = `at-${origin.replaceAll(/\W+/g, '-')}@orbit.example`
  await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], { email })
  const request = await begin({}, there, host)
  const values = {
    ...validValues(request.requestId),
    subject: email,
    recipient: `${origin}/sso/callback`,
    audience: `${origin}/sso/metadata`,
    email,
  }
  const step = await post(signElement(responseOf(values, assertionOf(values))), request.state, there, host)
  const back = await returnFromProvider(there, step.pathname + step.search, request.way.cookie, host)
  const code = back.searchParams.get('code') ?? ''
  const answer = await redeemCode(there, code, `${origin}/login`, { host, cookie: request.way.cookie })
  const session = sessionOf(answer)
  expectKeptCookies(answer, publicUrl)
  expect(request.way.cookie.startsWith('__Host-')).toBe(publicUrl.startsWith('https:'))
  expect((await refresh(there, session.refreshToken, session.cookie)).statusCode).toBe(200)
})

test('[SSO-05] a signed response with a signed assertion is accepted', async () => {
  const back = await signOn((assertion) => signElement(signElement(responseOf(assertion, assertionOf(assertion))), privateKey, 'Response'))
  expect(errorOf(back)).toBeNull()
})

const attribute = ({ name, values, format, friendlyName, type }: SamlAttribute): string => {
  const nameFormat = format && `urn:oasis:names:tc:SAML:2.0:attrname-format:${format}`
  const typed = type === undefined ? '' : ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="${type}"`
  const all = values.map((value) => `<saml:AttributeValue${typed}>${value}</saml:AttributeValue>`).join('')
  return `<saml:Attribute Name="${name}"${optional('NameFormat', nameFormat)}${optional('FriendlyName', friendlyName)}>${all}</saml:Attribute>`
}
const withAttributes = (assertion: AssertionValues, attributes: readonly SamlAttribute[]): string =>
  assertionOf(assertion).replace(/<saml:AttributeStatement>.*<\/saml:AttributeStatement>/, () =>
    attributes.length === 0 ? '' : `<saml:AttributeStatement>${attributes.map(attribute).join('')}</saml:AttributeStatement>`,
  )

/** A user with the email, and a sign-on with the shape for that email. */
const signOnWith = async ({ nameId, attributes }: Pick<SamlShape, 'nameId' | 'attributes'>, email: string) => {
  const user = await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], { email })
  const request = await begin()
  const back = await signOn((assertion) => {
    const values = { ...assertion, subject: nameId.value, format: nameId.format }
    return signElement(responseOf(values, withAttributes(values, attributes)).replaceAll(EMAIL, email))
  }, request)
  return { user, back, redeem: () => redeemCode(app, back.searchParams.get('code') ?? '', undefined, { cookie: request.way.cookie }) }
}

test.each(SAML_SHAPES)('[SSO-05] a person of $provider is linked by their email', async ({ emailAttribute = null, ...shape }) => {
  await setEmailAttribute(emailAttribute)
  const { user, redeem } = await signOnWith(shape, `${shape.provider.replaceAll(/\W+/g, '-')}@orbit.example`)
  await setEmailAttribute(null)
  expect(decodeJwt(sessionOf(await redeem()).accessToken)).toMatchObject({ sub: user.id })
})

test.each<[string, Pick<SamlShape, 'nameId' | 'attributes'>]>([
  [
    'an email that Auth0 calls not verified',
    {
      nameId: { format: UNSPECIFIED, value: EMAIL },
      attributes: [
        { name: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress', values: [EMAIL], format: 'uri' },
        { name: 'http://schemas.auth0.com/email_verified', values: ['false'], format: 'uri', type: 'xs:boolean' },
      ],
    },
  ],
  ['a persistent name id that looks like the email', { nameId: { format: PERSISTENT, value: EMAIL }, attributes: [] }],
  ['a Windows account', { nameId: { format: UNSPECIFIED, value: 'CORP\\chief' }, attributes: [] }],
])('[SSO-05] %s links nobody', async (what, shape) => {
  const { back } = await signOnWith(shape, `${what.replaceAll(/\W+/g, '-')}@orbit.example`)
  expect(errorOf(back)).toBe('Authentication failed')
  expect(loggedFailures().kind).toBe('stranger')
})

test('[SSO-05] an attribute that the organization names stands for all others, and for the name id', async () => {
  await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], { email: 'sole@orbit.example' })
  await setEmailAttribute('workEmail')
  const back = await signOn((assertion) => {
    const format = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
    const values = { ...assertion, subject: 'sole@orbit.example', format }
    return signElement(responseOf(values, withAttributes(values, [{ name: 'mail', values: ['sole@orbit.example'] }])))
  })
  expect(errorOf(back)).toBe('Authentication failed')
  await setEmailAttribute(null)
})

test('[SSO-05] an email outside the organization is not replaced by that of another attribute, which people may write themselves', async () => {
  await addPerson(context, tenant.resellerId, tenant.brandId, [tenant.customerId], { email: 'chief@orbit.example' })
  const format = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
  for (const more of ['mail', 'Email', null]) {
    const back = await signOn((assertion) => {
      const values = { ...assertion, subject: more === null ? 'chief@orbit.example' : 'guest', format }
      const others = more === null ? [] : [{ name: more, values: ['chief@orbit.example'] }]
      return signElement(responseOf(values, withAttributes(values, [...others, { name: 'email', values: ['guest@freelance.example'] }])))
    })
    expect(errorOf(back)).toBe('Authentication failed')
  }
})

const validResponse = (assertion: AssertionValues): string => signElement(responseOf(assertion, assertionOf(assertion)))
const expectFailure =
  (part: Partial<AssertionValues>) =>
  (assertion: AssertionValues): string =>
    validResponse({ ...assertion, ...part })
const HOUR = 3_600_000
const forgedAssertion = (assertion: AssertionValues): string => assertionOf({ ...assertion, id: '_evil', subject: 'administrator' })
const signedAssertion = (assertion: AssertionValues): string =>
  /<saml:Assertion.*<\/saml:Assertion>/s.exec(validResponse(assertion))?.[0] ?? ''
const signatureIn = (assertion: string): string => /<Signature.*<\/Signature>/s.exec(assertion)?.[0] ?? ''

/** Forged, stolen, stale and misdirected SAML responses, and eight ways of signature wrapping. */
const ANSWERS: Record<string, (assertion: AssertionValues) => string> = {
  'no signature': (assertion) => responseOf(assertion, assertionOf(assertion)),
  'a signature by another key': (assertion) => signElement(responseOf(assertion, assertionOf(assertion)), foreign.privateKey),
  'a signed answer around an unsigned assertion': (assertion) =>
    signElement(responseOf(assertion, assertionOf(assertion)), privateKey, 'Response'),
  'a name changed after signing': (assertion) => validResponse(assertion).replace('>subject<', '>administrator<'),
  'an empty signature': (assertion) =>
    validResponse(assertion).replace(/<SignatureValue>.*<\/SignatureValue>/s, '<SignatureValue></SignatureValue>'),
  'a digest of nothing': (assertion) => validResponse(assertion).replace(/<DigestValue>.*<\/DigestValue>/s, '<DigestValue></DigestValue>'),
  'a signature with the HMAC of the public key': (assertion) =>
    validResponse(assertion).replace('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'),
  'another issuer': expectFailure({ issuer: 'https://attacker.net' }),
  'another audience': expectFailure({ audience: 'https://another-portal.example' }),
  'no audience': expectFailure({ audience: null }),
  'another recipient': expectFailure({ recipient: 'https://another-portal.example/sso/callback' }),
  'no recipient': expectFailure({ recipient: null }),
  'another request': expectFailure({ inResponseTo: '_other', responseTo: '_other' }),
  'another request inside': expectFailure({ inResponseTo: '_other' }),
  'no request, as one that was stolen elsewhere would': expectFailure({ inResponseTo: null }),
  'no request around it': expectFailure({ responseTo: null }),
  'another way of confirming': expectFailure({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }),
  'an end an hour ago': (assertion) => expectFailure({ from: assertion.from - 2 * HOUR, until: assertion.until - HOUR })(assertion),
  'a beginning in an hour': (assertion) => expectFailure({ from: assertion.from + HOUR, until: assertion.until + 2 * HOUR })(assertion),
  'an hour of age, and validity for a year': (assertion) =>
    expectFailure({ issuedAt: assertion.issuedAt - HOUR, until: assertion.until + 8_760 * HOUR })(assertion),
  'a name for one time only': expectFailure({ format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
  'no name': expectFailure({ subject: '' }),
  'two assertions, the second forged': (assertion) =>
    validResponse(assertion).replace('</samlp:Response>', `${forgedAssertion(assertion)}</samlp:Response>`),
  'two assertions, the first forged': (assertion) =>
    validResponse(assertion).replace('</samlp:Status>', `</samlp:Status>${forgedAssertion(assertion)}`),
  'wrapping 1: the signed answer moved into the signature of another': (assertion) => {
    const inner = signElement(signElement(responseOf(assertion, assertionOf(assertion))), privateKey, 'Response')
    return inner.replace('</samlp:Response>', `<wrap>${inner}</wrap></samlp:Response>`).replace('>subject<', '>administrator<')
  },
  'wrapping 2: the signed assertion beside a forged one of the same id': (assertion) =>
    responseOf(assertion, `${assertionOf({ ...assertion, subject: 'administrator' })}${signedAssertion(assertion)}`),
  'wrapping 3: the signed assertion inside the forged one': (assertion) =>
    responseOf(assertion, forgedAssertion(assertion).replace('</saml:Assertion>', `${signedAssertion(assertion)}</saml:Assertion>`)),
  'wrapping 4: the signed assertion in an extension': (assertion) =>
    responseOf(assertion, `<samlp:Extensions>${signedAssertion(assertion)}</samlp:Extensions>${forgedAssertion(assertion)}`),
  'wrapping 5: the signature in the forged one, the signed one inside the signature': (assertion) => {
    const original = signedAssertion(assertion)
    const signature = signatureIn(original).replace(
      '</Signature>',
      `<Object>${original.replace(signatureIn(original), '')}</Object></Signature>`,
    )
    return responseOf(assertion, forgedAssertion(assertion).replace('</saml:Issuer>', `</saml:Issuer>${signature}`))
  },
  'wrapping 6: the signature in the forged one, the signed one behind it': (assertion) => {
    const original = signedAssertion(assertion)
    const forged = forgedAssertion(assertion).replace('</saml:Issuer>', `</saml:Issuer>${signatureIn(original)}`)
    return responseOf(assertion, `${forged}<wrap>${original.replace(signatureIn(original), '')}</wrap>`)
  },
  'wrapping 7: the forged one with the signed one’s id and signature': (assertion) => {
    const signature = signatureIn(signedAssertion(assertion))
    return responseOf(
      assertion,
      assertionOf({ ...assertion, subject: 'administrator' }).replace('</saml:Issuer>', `</saml:Issuer>${signature}`),
    )
  },
  'wrapping 8: two signatures in one assertion': (assertion) => {
    const signature = signatureIn(signedAssertion(assertion))
    return validResponse(assertion).replace('</saml:Issuer><Signature', `</saml:Issuer>${signature}<Signature`)
  },
  'an answer that says no': (assertion) =>
    responseOf(assertion, '').replace(
      'status:Success"/>',
      'status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode>',
    ),
  'a document type with an entity of this machine': (assertion) =>
    `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${validResponse(assertion).replace('>subject<', '>&e;<')}`,
  'entities that grow': (assertion) => `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>${validResponse(assertion)}`,
  'a signature by SHA-1': (assertion) =>
    signElement(responseOf(assertion, assertionOf(assertion)), privateKey, 'Assertion', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'),
  'thousands of elements in each other': () => `${'<a>'.repeat(25_000)}${'</a>'.repeat(25_000)}`,
  'no XML': () => 'hello',
  'nothing inside': () => '<x/>',
}

test.each(Object.entries(ANSWERS))('[SSO-05] an answer with %s is refused', async (_, make) => {
  expect(errorOf(await signOn(make))).toBe('Authentication failed')
  expect(['unbelievable', 'denied']).toContain(loggedFailures().kind)
})

test('[SSO-05] a comment in a name or an email truncates nothing', async () => {
  const subject = 'sub<!-- -->ject'
  const back = await signOn((assertion) =>
    signElement(responseOf(assertion, assertionOf({ ...assertion, subject: 'x', email: 'person@orbit.example<!-- -->.attacker.net' }))),
  )
  expect(errorOf(back)).toBe('Authentication failed')
  expect(loggedFailures()).toMatchObject({ kind: 'stranger', reason: 'the email is in none of the company’s domains' })
  const added = validResponse(validValues((await begin()).requestId)).replace('>subject<', `>${subject}<`)
  expect(added).toContain(subject)
})

test('[SSO-05] a response is accepted once, for its own request, and only for the browser that started', async () => {
  const mine = await begin()
  const xml = validResponse(validValues(mine.requestId))
  const step = await post(xml, mine.state)
  expect(step.pathname).toBe('/sso/callback')
  expect(errorOf(await post(xml, mine.state))).toBe('Authentication failed')

  const theirs = await begin()
  expect(errorOf(await post(xml, theirs.state))).toBe('Authentication failed')
  expect(errorOf(await finish(step, theirs.way.cookie))).toBe('Authentication failed')
  expect(errorOf(await finish(step, ''))).toBe('Authentication failed')
  expect(errorOf(await finish(step, mine.way.cookie))).toBeNull()
  expect(errorOf(await finish(step, mine.way.cookie))).toBe('Authentication failed')
})

test('[SSO-05] a sign-on without a response, after ten minutes, or with an unknown state is refused', async () => {
  const { way, state, requestId } = await begin()
  expect(errorOf(await finish(new URL(`http://localhost:3000/sso/callback?state=${state}`), way.cookie))).toBe('Authentication failed')
  const late = await begin()
  context.advance(600_001)
  expect(errorOf(await post(validResponse(validValues(late.requestId)), late.state))).toBe('Authentication failed')
  expect(errorOf(await post(validResponse(validValues(requestId)), 'A'.repeat(43)))).toBe('Authentication failed')
  expect(errorOf(await post(validResponse(validValues(requestId)), ''))).toBe('Authentication failed')
})

test('[SSO-05] an organization with OpenID Connect takes no posted answer', async () => {
  await addOrganization(context, tenant, { name: 'by-openid', issuer: 'http://127.0.0.1:9', domains: ['openid.example'] })
  const { way } = await begin()
  expect(way.location).toContain('SAMLRequest')
  expect((await startSignOn(app, { b: 'by-openid' })).location).toBe('/login?e=Authentication%20failed&why=away&b=by-openid')
})

test('[SSO-05] what is no form of SAML is refused with the right status, and an answer of a hundred kilobytes is read', async () => {
  const send = (payload: string, type: string) =>
    app.inject({ method: 'POST', url: '/sso/callback', payload, headers: { 'content-type': type } })
  expect((await send('RelayState=x', 'application/x-www-form-urlencoded')).statusCode).toBe(400)
  expect((await send('<x/>', 'text/xml')).statusCode).toBe(415)
  expect((await send(`SAMLResponse=${'A'.repeat(600_000)}`, 'application/x-www-form-urlencoded')).statusCode).toBe(413)
  const { way, state, requestId } = await begin()
  const groups = `<saml:Attribute Name="groups">${'<saml:AttributeValue>a group of people with a long name</saml:AttributeValue>'.repeat(1_200)}</saml:Attribute>`
  const assertion = validValues(requestId)
  const step = await post(
    signElement(responseOf(assertion, assertionOf(assertion).replace('</saml:AttributeStatement>', `${groups}</saml:AttributeStatement>`))),
    state,
  )
  expect(errorOf(await finish(step, way.cookie))).toBeNull()
})
