import type { PinchSession } from '../store/pinch-session.ts'
import type { Fields } from './fields.ts'

/** A request as an endpoint handles it. */
export interface ApiRequest {
  readonly session: PinchSession
  readonly body: Fields
  readonly query: Fields
  /** The ids in the path, in their order. */
  readonly ids: readonly string[]
  /** Whether a fault wants the bank to refuse. */
  readonly isDishonourForced: boolean
}

export interface ApiResponse {
  readonly status: number
  /** Empty text for an empty body. */
  readonly body: unknown
}

/** A call of Pinch's API. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path below `/pinch/test` and `/pinch/live`. */
  readonly path: string
  /** The operation that `POST /faults` knows it by. */
  readonly operation: string
  /** Whether it takes a publishable key in the body instead of a bearer token. */
  readonly isPublic?: true
  /** Whether the bank decides about it, so that a fault can make it refuse. */
  readonly hasBank?: true
  handle(request: ApiRequest): ApiResponse
}

export const okResponse = (body: unknown): ApiResponse => ({ status: 200, body })

export const createdResponse = (body: unknown): ApiResponse => ({ status: 201, body })
