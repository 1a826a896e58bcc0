import type { ForcedOutcome } from '../../kit/forced-outcome.ts'
import type { EncryptionKey } from '../vault/encryption-key.ts'
import type { OneTimeToken } from '../vault/one-time-tokens.ts'
import type { NexioSession } from '../store/nexio-session.ts'
import type { Fields } from './fields.ts'

/** A request as an endpoint handles it. */
export interface ApiRequest {
  readonly session: NexioSession
  readonly body: Fields
  readonly query: Fields
  /** The id in the path; empty where there is none. */
  readonly id: string
  readonly key: EncryptionKey
  readonly forcedOutcome: ForcedOutcome | undefined
}

/** A request that a one-time-use token allows. */
export interface TokenRequest extends ApiRequest {
  readonly token: OneTimeToken
}

interface EndpointBase {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The path below `/nexio`. */
  readonly path: string
  /** The operation that `POST /faults` knows it by. */
  readonly operation: string
  /** The outcomes that it can produce when a fault asks for them. */
  readonly forcedOutcomes?: readonly ForcedOutcome[]
}

/** A call of Nexio's API, with a user name and a password, or with a one-time-use token instead. */
export type Endpoint =
  | (EndpointBase & { readonly needsToken?: never; handle(request: ApiRequest): object })
  | (EndpointBase & { readonly needsToken: true; handle(request: TokenRequest): object })
