import type { Fault } from '../../faults/faults.ts'
import type { NexioSession } from '../store/nexio-session.ts'
import { askForAuthentication } from '../transactions/authentication.ts'
import { gatewayDecline } from '../transactions/decline.ts'
import { type Fields, objectField, textField, toFields } from './fields.ts'
import { declinedError } from './nexio-error.ts'

/** A response before it is sent. */
export interface ApiResponse {
  readonly status: number
  readonly body: object
  /** What an approval would have answered, when this is a decline. */
  readonly approvalBody?: object | undefined
}

interface TamperContext {
  readonly session: NexioSession
  /** The body of the request. */
  readonly request: Fields
}

const WRONG_AMOUNT_OFFSET = 1

/** The response of a decline by the gateway that names no transaction. */
export const declineResponse = (merchantId = ''): ApiResponse => {
  const { status, body } = declinedError(gatewayDecline(), { merchantId, refNumber: '' })
  return { status, body }
}

/**
 * The response with the fault's false claim: a wrong amount, or, of a booked payment, a decline or an action that nobody has to take. Else
 * unchanged.
 */
export const tamperResponse = (response: ApiResponse, fault: Fault, context: TamperContext): ApiResponse => {
  if (fault.kind === 'wrong-amount') return withWrongAmount(response)
  if (!fault.booked || response.status !== 200) return response
  if (fault.kind === 'decline') return declineResponse(textField(toFields(response.body), 'merchantId'))
  return fault.kind === 'action' ? toActionRequired(response, context) : response
}

/** The response with larger amounts; a decline becomes the approval that it would have been. Other errors stay. */
const withWrongAmount = ({ status, body, approvalBody }: ApiResponse): ApiResponse => {
  if (status !== 200 && approvalBody === undefined) return { status, body }
  return { status: 200, body: increaseAmounts(approvalBody ?? body) as object }
}

/** The value with every number in a field `amount` larger by WRONG_AMOUNT_OFFSET, at any depth. */
const increaseAmounts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(increaseAmounts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'amount' && typeof inner === 'number' ? Number((inner + WRONG_AMOUNT_OFFSET).toFixed(3)) : increaseAmounts(inner),
    ]),
  )
}

/** A response that sends the customer of a payment that was made to the bank's page; one about no payment stays what it is. */
const toActionRequired = (response: ApiResponse, { session, request }: TamperContext): ApiResponse => {
  const body = toFields(response.body)
  const transactionId = textField(body, 'id')
  if (transactionId === undefined || body['transactionStatus'] === undefined) return response
  const returnUrl = textField(objectField(request, 'processingOptions'), 'customerRedirectUrl') ?? null
  return { status: 200, body: askForAuthentication(session, { charge: null, transactionId, returnUrl }) }
}
