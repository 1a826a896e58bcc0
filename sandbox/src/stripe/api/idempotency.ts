import { createHash } from 'node:crypto'
import type { ObjectStore } from '../../kit/object-store.ts'
import type { Form } from './form.ts'
import { invalidRequest, StripeError } from './stripe-error.ts'

/** A response as it was sent. */
export interface ApiResponse {
  readonly status: number
  readonly text: string
}

/** The response to the first request with a key. */
interface StoredResponse extends ApiResponse {
  readonly id: string
  readonly object: 'idempotency_key'
  readonly at: number
  readonly path: string
  /** A hash of the parameters, to compare later requests with. */
  readonly print: string
  readonly requestId: string
}

/** A request with an `Idempotency-Key`. */
export interface IdempotentRequest {
  readonly account: string
  readonly key: string
  readonly path: string
  readonly form: Form
}

const RETENTION_MS = 24 * 3_600_000
const MAX_KEY_LENGTH = 255

/** The responses to requests with an `Idempotency-Key`, kept on disk for a day. */
export class IdempotencyKeys {
  readonly #objects: ObjectStore
  readonly #clock: () => number

  constructor(objects: ObjectStore, clock: () => number) {
    this.#objects = objects
    this.#clock = clock
  }

  /**
   * The response to the first request with this key; undefined when this is the first.
   * @throws StripeError when the first request had another path or other parameters
   */
  replay({ account, key, path, form }: IdempotentRequest): StoredResponse | undefined {
    if (key.length > MAX_KEY_LENGTH)
      throw invalidRequest(`Idempotency key must be at most ${MAX_KEY_LENGTH} characters.`, { param: 'Idempotency-Key' })
    const stored = this.#objects.find(account, 'idempotency_key', idOf(key)) as StoredResponse | undefined
    if (stored === undefined || this.#clock() - stored.at >= RETENTION_MS) return undefined
    if (stored.path !== path) throw keyReuseError(`for the same endpoint they were first used for ('${stored.path}' vs '${path}')`, key)
    if (stored.print !== fingerprintOf(form)) throw keyReuseError('with the same parameters they were first used with', key)
    return stored
  }

  /** Stores the response for the next request with that key. */
  store({ account, key, path, form }: IdempotentRequest, response: ApiResponse, requestId: string): void {
    const { status, text } = response
    this.#objects.put(account, {
      id: idOf(key),
      object: 'idempotency_key',
      at: this.#clock(),
      path,
      print: fingerprintOf(form),
      requestId,
      status,
      text,
    })
  }
}

/** The id under which the response to a key is stored. */
const idOf = (key: string): string => `idem_${key}`

/** A hash of the parameters, equal for equal ones. */
const fingerprintOf = (form: Form): string => createHash('sha256').update(JSON.stringify(form)).digest('base64url')

/** The error 400 of a key that was used for another request; a value, not thrown here. */
const keyReuseError = (how: string, key: string): StripeError =>
  new StripeError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used ${how}. Try using a key other than '${key}' if you meant to execute a different request.`,
  })

/** The error 409 of a key whose first request is still in progress; a value, not thrown here. */
export const keyInUseError = (key: string): StripeError =>
  new StripeError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
  })
