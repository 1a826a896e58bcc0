import type { ForcedOutcome } from '../../kit/forced-outcome.ts'
import type { AuthorizeSession } from '../store/authorize-session.ts'
import type { Fields } from './fields.ts'
import type { Shape } from './schema.ts'

/** A checked request, the session that it works in, and the outcome that a fault forces. */
export interface OperationCall {
  readonly session: AuthorizeSession
  readonly request: Fields
  readonly forcedOutcome?: ForcedOutcome | undefined
}

/** A request of the API. */
export interface Operation {
  /** The root key. */
  readonly name: string
  readonly shape: Shape
  /** The name of the operation for faults. */
  readonly faultOperation: (request: Fields) => string
  /** The outcomes that `handle` knows; a decline of any other request is rejected before it is handled. */
  readonly forcedOutcomes?: readonly ForcedOutcome[]
  /** Whether it belongs to the Transaction Details API, which an account may have disabled. */
  readonly isReporting?: boolean
  /** Returns the response without `refId`; `messages` only where it is not the usual success. */
  readonly handle: (call: OperationCall) => Fields
}

/** `messages` of a response, with one message. */
export const messagesOf = (resultCode: 'Ok' | 'Error', code: string, text: string): Fields => ({
  resultCode,
  message: [{ code, text }],
})

/** `messages` of a successful request. */
export const SUCCESS = messagesOf('Ok', 'I00001', 'Successful.')

/** `messages` of a list that is empty. */
export const NO_RECORDS = messagesOf('Ok', 'I00004', 'No records found.')
