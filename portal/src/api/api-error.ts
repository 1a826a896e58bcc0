import type { Failure, TokenFailure } from '@counterfoil/contract/kit/http/failure'

const UNREACHABLE = 'The server could not be reached. Check your connection and try again.'
const TOO_SLOW = 'The server took too long to answer. Try again in a moment.'
const UNKNOWN = 'Something went wrong. Try again later.'

type Told = Partial<Failure> & Partial<TokenFailure>

/** A call that did not succeed: what the server said of it, or that it said nothing. */
export class AskFailed extends Error {
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  /** The text to show as it stands: `userMessage`, or `error_description` of /token. */
  readonly userMessage: string | undefined
  /** What was wrong with single fields, as in `{ path: 'body.newPassword', message }`. */
  readonly errors: readonly { readonly path: string; readonly message: string }[]
  readonly headers: Headers

  constructor(status: number, message: string, told: Told = {}, headers: Headers = new Headers(), cause?: unknown) {
    super(message, { cause })
    this.name = 'AskFailed'
    this.status = status
    this.userMessage = textIn(told.userMessage) ?? textIn(told.error_description)
    this.errors = Array.isArray(told.errors) ? told.errors : []
    this.headers = headers
  }
}

/** The failure that an answer with an error status tells of. Reads the body. */
export const failureOf = async (answer: Response): Promise<AskFailed> => {
  const text = await answer.text().catch(() => '')
  const told = objectIn(text)
  const message = textIn(told.message) ?? textIn(told.error_description) ?? textIn(told.error)
  return new AskFailed(answer.status, message ?? `The server answered ${answer.status}.`, told, answer.headers)
}

/** The failure of a call that got no answer: the line was cut, or the time was up. */
const unanswered = (cause: unknown): AskFailed => {
  const timeUp = cause instanceof DOMException && cause.name === 'TimeoutError'
  return new AskFailed(0, timeUp ? TOO_SLOW : UNREACHABLE, {}, new Headers(), cause)
}

/** What to do when an answer does not come or breaks off: the caller's own stop passes, anything else is a call without an answer. */
export const answerLost =
  (signal: AbortSignal | undefined) =>
  (cause: unknown): never => {
    if (signal?.aborted === true) throw cause
    throw unanswered(cause)
  }

/**
 * The words of an error for a person: its user message, else its message field, else the message inside its text,
 * else a sentence that says nothing (portal.md §8, last line).
 */
export const messageOf = (error: unknown): string => {
  if (error instanceof AskFailed && error.userMessage !== undefined) return error.userMessage
  const text = textIn(error) ?? (isObject(error) ? textIn(error['message']) : undefined)
  if (text === undefined) return UNKNOWN
  const inside = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return textIn(objectIn(inside).message) ?? text
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

const objectIn = (text: string): Told => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
