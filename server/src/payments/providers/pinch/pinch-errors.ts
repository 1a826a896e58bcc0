import { Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'

const WireError = Type.Union([Type.Object({ errorMessage: Type.String() }), Type.Object({ message: Type.String() })])
const WireErrors = Type.Array(WireError)
const WireDeletion = Type.Object({ errorMessages: WireErrors })
const WireList = Type.Object({ errors: WireErrors })

/**
 * What Pinch says is wrong, in whichever of its three forms: a list, `errorMessages` of a deletion, or `errors`. Empty for any other body.
 */
export const errorMessagesOf = (body: unknown): readonly string[] => {
  const errors = listOfErrors(body)
  return errors.map((error) => ('errorMessage' in error ? error.errorMessage : error.message).trim()).filter((text) => text !== '')
}

/** The errors of a body, in whichever form; empty for any other body. */
const listOfErrors = (body: unknown) => {
  if (matchesSchema(WireErrors, body)) return body
  if (matchesSchema(WireDeletion, body)) return body.errorMessages
  return matchesSchema(WireList, body) ? body.errors : []
}

/** Whether an error message says that the payer or source does not exist. */
export const isNotFoundMessage = (message: string, object: 'payer' | 'source'): boolean =>
  new RegExp(`\\b${object}\\b`, 'i').test(message) && /not found|can.?t find|could not find/i.test(message)
