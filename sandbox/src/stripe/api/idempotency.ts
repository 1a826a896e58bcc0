import { createHash } from 'node:crypto'
import type { Archive } from '../store/object-store.ts'
import type { Form } from './form.ts'
import { invalid, StripeError } from './stripe-error.ts'

/** A call's answer as it went out. */
export interface Answer {
  readonly status: number
  readonly text: string
}

/** The answer that was given to a key's first call. */
interface KeptAnswer extends Answer {
  readonly id: string
  readonly object: 'idempotency_key'
  readonly at: number
  readonly path: string
  /** A print of what was sent, by which a second call is compared. */
  readonly print: string
  readonly requestId: string
}

/** A call that can be made again. */
export interface Repeatable {
  readonly account: string
  readonly key: string
  readonly path: string
  readonly form: Form
}

const KEPT_MS = 24 * 3_600_000
const LONGEST = 255

/** The answers that were given to calls with an `Idempotency-Key`, for a day; on disk with everything else. */
export class IdempotencyKeys {
  readonly #archive: Archive
  readonly #clock: () => number

  constructor(archive: Archive, clock: () => number) {
    this.#archive = archive
    this.#clock = clock
  }

  /**
   * The first call's answer; undefined when this is the first.
   * @throws StripeError when the first call was another one
   */
  replay({ account, key, path, form }: Repeatable): KeptAnswer | undefined {
    if (key.length > LONGEST) throw invalid(`Idempotency key must be at most ${LONGEST} characters.`, { param: 'Idempotency-Key' })
    const kept = this.#archive.find(account, 'idempotency_key', idOf(key)) as KeptAnswer | undefined
    if (kept === undefined || this.#clock() - kept.at >= KEPT_MS) return undefined
    if (kept.path !== path) throw misused(`for the same endpoint they were first used for ('${kept.path}' vs '${path}')`, key)
    if (kept.print !== printOf(form)) throw misused('with the same parameters they were first used with', key)
    return kept
  }

  /** Keeps an answer for the next call with that key. */
  keep({ account, key, path, form }: Repeatable, answer: Answer, requestId: string): void {
    const { status, text } = answer
    this.#archive.put(account, {
      id: idOf(key),
      object: 'idempotency_key',
      at: this.#clock(),
      path,
      print: printOf(form),
      requestId,
      status,
      text,
    })
  }
}

const idOf = (key: string): string => `idem_${key}`

const printOf = (form: Form): string => createHash('sha256').update(JSON.stringify(form)).digest('base64url')

const misused = (how: string, key: string): StripeError =>
  new StripeError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used ${how}. Try using a key other than '${key}' if you meant to execute a different request.`,
  })

/** Another call with the same key is still under way. */
export const keyInUse = (key: string): StripeError =>
  new StripeError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
  })
