import type { Fault } from '../../faults/faults.ts'
import { toFields } from './fields.ts'

/** A response before it is sent. */
export interface ApiResponse {
  readonly status: number
  /** Null for an empty body. */
  readonly body: object | null
}

const WRONG_AMOUNT_OFFSET = 100

const DECLINED = { responseCode: '1', bankResponseCode: '05', responseText: 'Do not honour', authoriseId: null }
const APPROVED = { responseCode: '0', bankResponseCode: '00', responseText: 'Approved', authoriseId: '123456' }

/** The response with the fault's false claim: approved with a wrong amount, or a decline of a booked payment. Else unchanged. */
export const tamperResponse = (response: ApiResponse, fault: Fault): ApiResponse => {
  if (response.body === null || response.status !== 200) return response
  if (fault.kind === 'wrong-amount') return { ...response, body: changeTxns(response.body, APPROVED, WRONG_AMOUNT_OFFSET) as object }
  return fault.kind === 'decline' && fault.booked ? { ...response, body: changeTxns(response.body, DECLINED, 0) as object } : response
}

/** The value with changed fields and a larger amount in every transaction, at any depth. */
const changeTxns = (value: unknown, changes: object, offset: number): unknown => {
  if (Array.isArray(value)) return value.map((inner) => changeTxns(inner, changes, offset))
  if (typeof value !== 'object' || value === null) return value
  const fields = toFields(value)
  if (typeof fields['amount'] === 'number' && 'responseCode' in fields) return { ...fields, ...changes, amount: fields['amount'] + offset }
  return Object.fromEntries(Object.entries(fields).map(([name, inner]) => [name, changeTxns(inner, changes, offset)]))
}
