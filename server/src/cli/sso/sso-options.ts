import { OperatorError } from '../../kit/api-error.ts'
import { isSafeUrl } from '../../sso/loopback.ts'
import type { CommandIo, Options } from '../command.ts'

/** The trimmed text of an option; undefined when it is not given. */
export const trimmedOption = (options: Options, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value.trim() : undefined
}

/** The values of a repeatable option, which are sent as one text separated by spaces. */
export const splitOption = (options: Options, name: string): string[] =>
  (trimmedOption(options, name) ?? '').split(/[\s,]+/).filter((text) => text !== '')

/** @throws OperatorError when people could not type the name or an HTTP header could not carry it */
export const parseOrganizationName = (name: string | undefined): string => {
  if (name === undefined || !/^[!-~](?:[ -~]{0,98}[!-~])?$/.test(name))
    throw new OperatorError('The name of a company has 1 to 100 characters of plain ASCII, for people type it and a header carries it.')
  return name
}

/** @throws OperatorError when the text is not a domain */
export const parseDomain = (text: string): string => {
  const domain = text.toLowerCase().replace(/^@/, '')
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) || domain.length > 253)
    throw new OperatorError(`${text} is no domain; write it as in orbit.example.`)
  return domain
}

/** @throws OperatorError when the text is not a safe issuer URL */
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

const MAX_FILE_BYTES = 512 * 1_024

/** The text of a file or of standard input. @throws OperatorError when it is longer than 512 KiB */
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
