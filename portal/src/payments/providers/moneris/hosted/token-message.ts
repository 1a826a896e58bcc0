import { ShownError } from '../../../../api/api-error.ts'

const NOT_CONFIGURED = "The payment gateway isn't configured properly. Please contact support if the issue persists."
const UNREADABLE = 'Your card could not be read. Please try again.'

/** Texts by Moneris' response codes. */
const ERROR_TEXTS: Readonly<Record<string, string>> = {
  '940': NOT_CONFIGURED,
  '942': NOT_CONFIGURED,
  '943': 'Your card number is invalid.',
  '944': "Your card's expiry date is invalid.",
  '945': "Your card's security code is invalid.",
}

const SUCCESS = '001'

/**
 * The token in the frame's answer: a JSON text with one response code, or with a list of them.
 * @throws ShownError with a text to show when any code is no success
 */
export const readToken = (data: unknown): string => {
  const { responseCode, dataKey } = parseMessage(data)
  const codes = Array.isArray(responseCode) ? responseCode : [responseCode]
  if (codes.length > 0 && codes.every((code) => code === SUCCESS) && typeof dataKey === 'string' && dataKey.startsWith('ot-'))
    return dataKey
  const texts = codes.flatMap((code) => (typeof code === 'string' ? (ERROR_TEXTS[code] ?? []) : []))
  throw new ShownError(texts.length === 0 ? UNREADABLE : [...new Set(texts)].join(' '))
}

/** The object in a JSON text; an empty one for anything else. */
const parseMessage = (data: unknown): { responseCode?: unknown; dataKey?: unknown } => {
  try {
    const message: unknown = JSON.parse(String(data))
    return typeof message === 'object' && message !== null ? message : {}
  } catch {
    return {}
  }
}
