/** A request to somebody else's server. */
interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface HttpAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The one way out to a payment company: one request, one answer. */
export interface Http {
  /** @throws Unanswered when no whole answer came */
  send(request: HttpRequest): Promise<HttpAnswer>
}

/** No whole answer came. `sent` is false only where it is certain that no byte of the request arrived anywhere. */
export class Unanswered extends Error {
  readonly sent: boolean

  constructor(message: string, sent: boolean) {
    super(message)
    this.sent = sent
  }
}

export interface WayOut {
  readonly timeoutMs?: number
  /** Blanks every secret of a transcript. */
  readonly scrub: (transcript: string) => string
  /** Gets each call's transcript, scrubbed. */
  readonly record: (transcript: string) => void
}

const TIMEOUT_MS = 30_000
const MOST_BYTES = 4_194_304

/** Before a connection stands, nothing has been sent. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*|ERR_SSL_.*)$/

/** A way out with a time limit; it follows no redirect and repeats nothing, so that one order is one call. */
export const wayOut = ({ timeoutMs = TIMEOUT_MS, scrub, record }: WayOut): Http => ({
  send: async (request) => {
    const begun = performance.now()
    const told = (what: string): void => {
      const ms = Math.round(performance.now() - begun)
      record(scrub(`${request.method} ${request.url} ${request.body ?? ''}\n${what} after ${ms} ms`))
    }
    try {
      const answer = await exchanged(request, timeoutMs)
      told(`${answer.status} ${answer.text}`)
      return answer
    } catch (error) {
      const failure = asUnanswered(error)
      told(failure.message)
      throw failure
    }
  },
})

const exchanged = async ({ method, url, headers = {}, body }: HttpRequest, timeoutMs: number): Promise<HttpAnswer> => {
  const answer = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await limitedText(answer) }
}

const limitedText = async (answer: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const piece of answer.body ?? []) {
    bytes += piece.length
    if (bytes > MOST_BYTES) throw new Unanswered('the answer is too large', true)
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
}

const asUnanswered = (error: unknown): Unanswered => {
  if (error instanceof Unanswered) return error
  const { name, code } = causeOf(error)
  if (name === 'TimeoutError') return new Unanswered('no answer in time', true)
  return new Unanswered(`no answer (${code})`, !NEVER_SENT.test(code))
}

const causeOf = (error: unknown): { name: string; code: string } => {
  if (!(error instanceof Error)) return { name: 'unknown', code: 'unknown' }
  const inner = error.cause instanceof Error ? error.cause : error
  return { name: error.name, code: 'code' in inner && typeof inner.code === 'string' ? inner.code : inner.name }
}
