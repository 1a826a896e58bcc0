import { randomBytes } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { DOMParser } from '@xmldom/xmldom'
import { SignedXml } from 'xml-crypto'
import type { Account } from './accounts.ts'
import { html } from '../http/html.ts'
import { SAML_CERTIFICATE, SAML_KEY } from './saml-key.ts'

/** The entity id of the sandbox's SAML provider, independent of its address. */
const SAML_ISSUER = 'urn:counterfoil:sandbox:saml'

/** A portal's sign-in request. */
export interface SamlRequest {
  readonly id: string
  readonly issuer: string
  /** The assertion consumer service URL, which receives the response. */
  readonly acsUrl: string
}

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
const MAX_REQUEST_BYTES = 65_536

/** Parses a request of the redirect binding; undefined when it is not valid. */
export const parseSamlRequest = (deflated: string): SamlRequest | undefined => {
  try {
    const xml = inflateRawSync(Buffer.from(deflated, 'base64'), { maxOutputLength: MAX_REQUEST_BYTES }).toString('utf8')
    const document = new DOMParser({ errorHandler: () => undefined }).parseFromString(xml, 'text/xml')
    const request = document.getElementsByTagNameNS(PROTOCOL, 'AuthnRequest')[0]
    const id = request?.getAttribute('ID') ?? ''
    const acsUrl = request?.getAttribute('AssertionConsumerServiceURL') ?? ''
    const issuer = document.getElementsByTagNameNS(ASSERTION, 'Issuer')[0]?.textContent ?? ''
    return id === '' || acsUrl === '' || issuer === '' ? undefined : { id, issuer, acsUrl }
  } catch {
    return undefined
  }
}

/** A new random id of a SAML message or assertion. */
const newId = (): string => `_${randomBytes(20).toString('hex')}`
const MINUTE_MS = 60_000
const isoTime = (ms: number): string => new Date(ms).toISOString()

/** The base64 response that signs an account in: a signed assertion for one request and one ACS URL, valid for two minutes. */
export const samlResponse = ({ id: requestId, issuer: audience, acsUrl }: SamlRequest, { subject, username, name }: Account): string => {
  const [now, assertionId] = [Date.now(), newId()]
  const [at, until] = [isoTime(now), isoTime(now + 2 * MINUTE_MS)]
  const assertion = html`<saml:Assertion xmlns:saml="${ASSERTION}" ID="${assertionId}" Version="2.0" IssueInstant="${at}"><saml:Issuer>${SAML_ISSUER}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">${subject}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${requestId}" NotOnOrAfter="${until}" Recipient="${acsUrl}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="email"><saml:AttributeValue>${username}</saml:AttributeValue></saml:Attribute><saml:Attribute Name="name"><saml:AttributeValue>${name}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>`
  const response = html`<samlp:Response xmlns:samlp="${PROTOCOL}" ID="${newId()}" Version="2.0" IssueInstant="${at}" Destination="${acsUrl}" InResponseTo="${requestId}"><saml:Issuer xmlns:saml="${ASSERTION}">${SAML_ISSUER}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`
  return Buffer.from(signAssertion(response.toString())).toString('base64')
}

/** The base64 response that names nobody, because the person cancelled; nothing is signed. */
export const samlErrorResponse = ({ id: requestId, acsUrl }: SamlRequest): string => {
  const status = html`<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode>`
  const response = html`<samlp:Response xmlns:samlp="${PROTOCOL}" ID="${newId()}" Version="2.0" IssueInstant="${isoTime(Date.now())}" Destination="${acsUrl}" InResponseTo="${requestId}"><saml:Issuer xmlns:saml="${ASSERTION}">${SAML_ISSUER}</saml:Issuer><samlp:Status>${status}</samlp:Status></samlp:Response>`
  return Buffer.from(response.toString()).toString('base64')
}

const ASSERTION_PATH = "//*[local-name(.)='Assertion']"

/** The response with a signature of its assertion, by SAML_KEY. */
const signAssertion = (xml: string): string => {
  const signature = new SignedXml({
    privateKey: SAML_KEY,
    publicCert: SAML_CERTIFICATE,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  signature.addReference({
    xpath: ASSERTION_PATH,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  })
  signature.computeSignature(xml, { location: { reference: `${ASSERTION_PATH}/*[local-name(.)='Issuer']`, action: 'after' } })
  return signature.getSignedXml()
}

/** The provider's metadata, as an operator hands it to `counterfoil sso set`. */
export const samlMetadata = (address: string): string => {
  const certificate = SAML_CERTIFICATE.replaceAll(/-----[A-Z ]+-----|\s/g, '')
  return html`<?xml version="1.0"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${SAML_ISSUER}">
  <md:IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="${PROTOCOL}">
    <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${address}/saml/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>
`.toString()
}
