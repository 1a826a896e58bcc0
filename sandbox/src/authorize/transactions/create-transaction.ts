import { type Fields, fieldsOf, textOf } from '../api/fields.ts'
import type { Operation, OperationCall } from '../api/operation.ts'
import { mandatory } from '../api/schema.ts'
import { requestShape } from '../api/shapes.ts'
import { capture } from './capture.ts'
import { charge } from './charge.ts'
import { refund } from './refund.ts'
import { TRANSACTION_REQUEST } from './transaction-shape.ts'
import { invalidFieldError } from './transaction-response.ts'
import { voidTransaction } from './void.ts'

interface TransactionType {
  readonly faultOperation: string
  readonly handle: (call: OperationCall) => Fields
}

const TYPES: ReadonlyMap<string, TransactionType> = new Map([
  ['authCaptureTransaction', { faultOperation: 'charge', handle: charge }],
  ['authOnlyTransaction', { faultOperation: 'charge', handle: charge }],
  ['priorAuthCaptureTransaction', { faultOperation: 'charge', handle: capture }],
  ['refundTransaction', { faultOperation: 'refund', handle: refund }],
  ['voidTransaction', { faultOperation: 'void', handle: voidTransaction }],
])

/** `transactionType` of the request; empty when absent. */
const typeName = (request: Fields): string => textOf(fieldsOf(request, 'transactionRequest'), 'transactionType') ?? ''

export const createTransaction: Operation = {
  name: 'createTransactionRequest',
  shape: requestShape({ transactionRequest: mandatory(TRANSACTION_REQUEST) }),
  faultOperation: (request) => TYPES.get(typeName(request))?.faultOperation ?? 'charge',
  forcedOutcomes: ['decline', 'action', 'script-action'],
  handle: (call) => {
    const type = TYPES.get(typeName(call.request))
    if (type === undefined) throw invalidFieldError(`${typeName(call.request)} is not offered by this sandbox.`)
    return type.handle(call)
  },
}
