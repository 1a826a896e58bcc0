import type { Fault } from '../../faults/faults.ts'
import type { ApiResponse } from './endpoint.ts'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The response with the fault's false claim: an approval over a wrong amount, or a dishonour of a booked payment. Else unchanged. */
export const tamperResponse = ({ status, body }: ApiResponse, fault: Fault): ApiResponse => {
  if (fault.kind === 'wrong-amount' && isObject(body)) return { status, body: withWrongAmount(body) }
  if (fault.kind === 'decline' && fault.booked && isObject(body)) return { status, body: toDishonoured(body) }
  return { status, body }
}

/** The response with one cent more, and approved where it was dishonoured. */
const withWrongAmount = (body: Record<string, unknown>): object => ({
  ...body,
  ...(typeof body['amount'] === 'number' ? { amount: body['amount'] + 1 } : {}),
  ...(body['status'] === 'dishonoured' ? { status: 'approved' } : {}),
})

/** A response that says that an approved payment was dishonoured. */
const toDishonoured = (body: Record<string, unknown>): object => (body['status'] === 'approved' ? { ...body, status: 'dishonoured' } : body)
