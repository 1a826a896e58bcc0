import type { ForcedOutcome } from '../../kit/forced-outcome.ts'
import type { BpointSession } from '../store/bpoint-session.ts'
import type { Fields } from './fields.ts'

/** A request as an endpoint handles it. */
export interface ApiRequest {
  readonly session: BpointSession
  readonly body: Fields
  /** The id in the path; empty where there is none. */
  readonly id: string
  readonly forcedOutcome: ForcedOutcome | undefined
}

/** A call of BPOINT's API. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below `/bpoint/rest/v5`. */
  readonly path: string
  /** The operation that `POST /faults` knows it by; it may depend on the body. */
  readonly operation: string | ((body: Fields) => string)
  /** The status of a call that succeeds; 200 by default. */
  readonly status?: number
  /** Whether a browser may make the call, with the key in the path alone. */
  readonly isPublic?: true
  /** @returns the body of the response; null for an empty one */
  handle(request: ApiRequest): object | null
}
