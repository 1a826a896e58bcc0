import { OperatorError } from '../../kit/api-error.ts'
import { isSafeAddress } from '../../sso/loopback.ts'
import type { Io, Options } from '../command.ts'

/** An option's text; undefined when it was not given. */
export const optionText = (options: Options, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value.trim() : undefined
}

/** The texts of an option that may be given several times; they travel in one, with spaces. */
export const optionTexts = (options: Options, name: string): string[] =>
  (optionText(options, name) ?? '').split(/[\s,]+/).filter((text) => text !== '')

/** @throws OperatorError for what cannot be a company's name: it is typed by people and stands in a header */
export const checkedName = (name: string | undefined): string => {
  if (name === undefined || !/^[!-~](?:[ -~]{0,98}[!-~])?$/.test(name))
    throw new OperatorError('The name of a company has 1 to 100 characters of plain ASCII, for people type it and a header carries it.')
  return name
}

/** @throws OperatorError for what is no domain */
export const checkedDomain = (text: string): string => {
  const domain = text.toLowerCase().replace(/^@/, '')
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) || domain.length > 253)
    throw new OperatorError(`${text} is no domain; write it as in orbit.example.`)
  return domain
}

/** @throws OperatorError for an address that no provider may have */
export const checkedIssuer = (text: string): string => {
  const isAddress = URL.canParse(text)
  if (!isAddress) throw new OperatorError(`The issuer must be the provider's address, as its own description spells it, not ${text}.`)
  const { search, hash, username, pathname } = new URL(text)
  if (!isSafeAddress(text))
    throw new OperatorError('The issuer must begin with https://. Only a provider on this machine may be asked without.')
  if (search !== '' || hash !== '' || username !== '' || pathname.includes('/.well-known/'))
    throw new OperatorError('The issuer is the address alone: without a query, a user name or /.well-known/.')
  return text
}

const MOST_BYTES = 512 * 1_024

/** The text of a file, or of standard input. @throws OperatorError when it is too long to be what is meant */
export const readWhole = async (io: Io, path: string): Promise<string> => {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of (await io.openFile(path)).open()) {
    length += piece.length
    if (length > MOST_BYTES) throw new OperatorError(`${path} is too long: more than 512 KiB.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
