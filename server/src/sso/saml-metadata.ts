import { X509Certificate } from 'node:crypto'
import { DOMParser } from '@xmldom/xmldom'
import { OperatorError } from '../kit/api-error.ts'
import { isSafeUrl } from './loopback.ts'

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/** The metadata of an organization's SAML provider. */
export interface SamlMetadata {
  readonly issuer: string
  readonly signOnUrl: string
  /** PEM. */
  readonly certificates: readonly string[]
}

/** Parses the metadata (XML) of a SAML 2.0 identity provider. @throws OperatorError with a sentence that says what is missing */
export const readSamlMetadata = (xml: string): SamlMetadata => {
  const provider = parseIdentityProvider(xml)
  const issuer = (provider.parentNode as Element | null)?.getAttribute('entityID') ?? ''
  if (issuer === '') throw new OperatorError('The metadata names no entityID.')
  const signOn = childElements(provider, METADATA, 'SingleSignOnService').find((element) => element.getAttribute('Binding') === REDIRECT)
  const signOnUrl = signOn?.getAttribute('Location') ?? ''
  if (signOnUrl === '') throw new OperatorError('The metadata has no SingleSignOnService with the HTTP-Redirect binding.')
  if (!isSafeUrl(signOnUrl)) throw new OperatorError('The metadata leads people to an address that does not begin with https://.')
  const keys = childElements(provider, METADATA, 'KeyDescriptor').filter((key) => key.getAttribute('use') !== 'encryption')
  const certificates = keys
    .flatMap((key) => childElements(key, SIGNATURES, 'X509Certificate'))
    .map((element) => toPem(element.textContent ?? ''))
  if (certificates.length === 0) throw new OperatorError('The metadata has no certificate that answers are signed with.')
  return { issuer, signOnUrl, certificates: [...new Set(certificates)] }
}

/**
 * The XML element that describes the identity provider.
 * @throws OperatorError when the XML is not well-formed, declares a document type, or describes none or several
 */
const parseIdentityProvider = (xml: string): Element => {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new OperatorError('The metadata declares a document type; metadata of SAML has none.')
  const document = new DOMParser({
    errorHandler: { warning: () => undefined, error: throwNotWellFormed, fatalError: throwNotWellFormed },
  }).parseFromString(xml, 'text/xml')
  const providers = document === undefined ? [] : childElements(document, METADATA, 'IDPSSODescriptor')
  const [provider] = providers
  if (provider === undefined) throw new OperatorError('The metadata describes no identity provider (no IDPSSODescriptor).')
  if (providers.length > 1) throw new OperatorError('The metadata describes more than one identity provider; give that of one.')
  return provider
}

/** Makes the XML parser fail on metadata that is not well-formed, which it would repair else. @throws OperatorError always */
const throwNotWellFormed = (): never => {
  throw new OperatorError('The metadata is not well-formed XML.')
}

/** All elements below the parent, at any depth, with this name of the namespace. */
const childElements = (
  parent: { getElementsByTagNameNS(space: string, name: string): ArrayLike<Element> },
  space: string,
  name: string,
): Element[] => Array.from(parent.getElementsByTagNameNS(space, name))

/** The PEM of a certificate whose base64 is given without its frame. @throws OperatorError when it cannot be read */
const toPem = (text: string): string => {
  const body = text.replaceAll(/\s+/g, '').replaceAll(/.{64}(?=.)/g, '$&\n')
  const pem = `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`
  try {
    return new X509Certificate(pem).toString().trim()
  } catch (error) {
    throw new OperatorError('The metadata holds a certificate that cannot be read.', { cause: error })
  }
}
