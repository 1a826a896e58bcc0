import type { Fault } from '../../faults/faults.ts'
import { type Fields, fieldsOf, textOf } from './fields.ts'
import { messagesOf, SUCCESS } from './operation.ts'

const WRONG_AMOUNT_OFFSET = 1
const DECLINED = 'This transaction has been declined.'

/** The response with the fault's false claim: a wrong amount or an approval; of a booked request a decline or a review. Else unchanged. */
export const tamperResponse = (body: Fields, fault: Fault): Fields => {
  if (fault.kind === 'wrong-amount') return withWrongAmount(body)
  if (!fault.booked || textOf(fieldsOf(body, 'messages'), 'resultCode') !== 'Ok') return body
  if (fault.kind === 'decline') return toDeclined(body)
  return fault.kind === 'action' || fault.kind === 'script-action' ? toHeldForReview(body) : body
}

/**
 * The response of a transaction with an approval instead. In a response without a transaction, a look-up or a list, the amounts are larger.
 */
const withWrongAmount = (body: Fields): Fields => {
  const transaction = fieldsOf(body, 'transactionResponse')
  if (transaction === undefined) return increaseAmounts(body) as Fields
  const { errors: _errors, ...rest } = transaction
  const transId = textOf(rest, 'transId') === '0' ? textOf(rest, 'refTransID') : textOf(rest, 'transId')
  const messages = [{ code: '1', description: 'This transaction has been approved.' }]
  return { ...body, transactionResponse: { ...rest, responseCode: '1', transId, messages }, messages: SUCCESS }
}

/** The value with every number in a field named `…Amount` larger by WRONG_AMOUNT_OFFSET, at any depth. */
const increaseAmounts = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(increaseAmounts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name.endsWith('Amount') && typeof inner === 'number' ? Math.round((inner + WRONG_AMOUNT_OFFSET) * 100) / 100 : increaseAmounts(inner),
    ]),
  )
}

/** A response that says that the transaction was declined; one without a transaction becomes an error. */
const toDeclined = (body: Fields): Fields => {
  const transaction = fieldsOf(body, 'transactionResponse')
  if (transaction === undefined) return { messages: messagesOf('Error', 'E00027', DECLINED) }
  const { messages: _messages, ...rest } = transaction
  return { ...body, transactionResponse: { ...rest, responseCode: '2', authCode: '', errors: [{ errorCode: '2', errorText: DECLINED }] } }
}

/** A response that says that the merchant's fraud screen holds the transaction for review; one without a transaction stays what it is. */
const toHeldForReview = (body: Fields): Fields => {
  const transaction = fieldsOf(body, 'transactionResponse')
  if (transaction === undefined) return body
  const messages = [{ code: '253', description: 'Thank you! For security reasons your order is currently being reviewed.' }]
  return { ...body, transactionResponse: { ...transaction, responseCode: '4', messages } }
}
