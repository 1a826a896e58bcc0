import { OperatorError } from '../../kit/api-error.ts'
import { isSafeUrl } from '../../sso/loopback.ts'
import { type CommandIo, flag, inputOption, JSON_FLAG, listOption, requiredOption, textOption } from '../command.ts'

export const OF_RESELLER = {
  reseller: requiredOption(textOption('name or id', 'the reseller whose customer the company is')),
  json: JSON_FLAG,
}
export const ONE_ORGANIZATION = { ...OF_RESELLER, company: requiredOption(textOption('name', 'the name that people type')) }

/** The settings of a company. */
export const SETTINGS = {
  ...ONE_ORGANIZATION,
  brand: textOption('name or id', 'the brand whose users its people are'),
  kind: textOption('kind', 'oidc (OpenID Connect) or saml (SAML 2.0)'),
  issuer: textOption('address', 'oidc: the provider, as its own description spells it'),
  clientId: textOption('id', 'oidc: what the provider calls this portal'),
  clientSecretFile: inputOption('file', 'oidc: the file with the client’s secret; - is standard input'),
  metadata: inputOption('file', 'saml: the provider’s metadata; - is standard input'),
  domain: listOption('domain...', 'a domain of its people’s emails; may be given several times'),
  emailAttribute: textOption('name', 'saml: the attribute with the email; without a name the usual ones'),
  trustEmail: {
    ...flag('oidc: take an email for verified when the provider does not say'),
    negated: 'oidc: take only what the provider calls verified',
  },
  block: flag('answer as if the company did not exist'),
  unblock: flag('let it in again'),
}

/** The words of a text, parted by spaces or commas. */
export const splitWords = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')

/** The name, unchanged. @throws OperatorError when people could not type it or an HTTP header could not carry it */
export const parseOrganizationName = (name: string): string => {
  if (!/^[!-~](?:[ -~]{0,98}[!-~])?$/.test(name))
    throw new OperatorError('The name of a company has 1 to 100 characters of plain ASCII, for people type it and a header carries it.')
  return name
}

/** The domain of emails in lower case, without an @ before it. @throws OperatorError when the text is not a domain */
export const parseDomain = (text: string): string => {
  const domain = text.toLowerCase().replace(/^@/, '')
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) || domain.length > 253)
    throw new OperatorError(`${text} is no domain; write it as in orbit.example.`)
  return domain
}

/** The issuer's URL, unchanged. @throws OperatorError without https (but on this machine), or with a query, user name or /.well-known/ */
export const parseIssuer = (text: string): string => {
  const isUrl = URL.canParse(text)
  if (!isUrl) throw new OperatorError(`The issuer must be the provider's address, as its own description spells it, not ${text}.`)
  const { search, hash, username, pathname } = new URL(text)
  if (!isSafeUrl(text))
    throw new OperatorError('The issuer must begin with https://. Only a provider on this machine may be asked without.')
  if (search !== '' || hash !== '' || username !== '' || pathname.includes('/.well-known/'))
    throw new OperatorError('The issuer is the address alone: without a query, a user name or /.well-known/.')
  return text
}

/** The name of a SAML attribute, unchanged; null for an empty text. @throws OperatorError when it cannot be such a name */
export const parseAttribute = (text: string): string | null => {
  if (text === '') return null
  if (!/^[!-~]{1,256}$/.test(text))
    throw new OperatorError('The name of an attribute has 1 to 256 characters of plain ASCII, without blanks.')
  return text
}

const MAX_FILE_BYTES = 512 * 1_024

/** The text of a file, or of standard input for the path `-`. @throws OperatorError when it is longer than MAX_FILE_BYTES */
export const readTextFile = async (io: CommandIo, path: string): Promise<string> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (await io.openFile(path)).open()) {
    length += chunk.length
    if (length > MAX_FILE_BYTES) throw new OperatorError(`${path} is too long: more than 512 KiB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
