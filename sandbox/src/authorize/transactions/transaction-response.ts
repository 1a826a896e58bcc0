import { AuthorizeError, unsuccessfulError } from '../api/authorize-error.ts'
import { type Fields, fieldsOf, listOf, withoutUndefined } from '../api/fields.ts'
import { SUCCESS } from '../api/operation.ts'
import { accountTypeOf, type Instrument, maskedNumber } from '../payment-methods/instrument.ts'
import type { Decision, ProfileIds } from './transaction.ts'

/** What a `transactionResponse` says. */
export interface TransactionResult {
  readonly decision: Decision
  /** "0" when nothing was stored. */
  readonly transId: string
  readonly refTransId?: string | undefined
  readonly instrument?: Instrument | undefined
  readonly profile?: ProfileIds | undefined
  readonly isTest?: boolean
}

/**
 * The response of createTransactionRequest.
 * @throws AuthorizeError with E00027 for the response code 3; a decline comes with `Ok`
 */
export const answerTransaction = (transactionRequest: Fields, result: TransactionResult): Fields => {
  const body = { transactionResponse: transactionResponse(transactionRequest, result) }
  if (result.decision.responseCode === '3') throw unsuccessfulError(undefined, body)
  return { ...body, messages: SUCCESS }
}

/** `transactionResponse` of the answer: with `errors` for a decline or an error, else with `messages`. */
const transactionResponse = (transactionRequest: Fields, result: TransactionResult): Fields => {
  const { decision, transId, refTransId = '', instrument, profile, isTest = false } = result
  const { responseCode, reasonCode, reason } = decision
  const isDenied = responseCode === '2' || responseCode === '3'
  const userFields = listOf(fieldsOf(transactionRequest, 'userFields'), 'userField')
  return withoutUndefined({
    responseCode,
    authCode: decision.authCode,
    avsResultCode: decision.avs,
    cvvResultCode: decision.cvv,
    cavvResultCode: instrument?.kind === 'card' && responseCode === '1' && refTransId === '' ? '2' : '',
    transId,
    refTransID: refTransId,
    transHash: '',
    testRequest: isTest ? '1' : '0',
    accountNumber: instrument === undefined ? '' : maskedNumber(instrument),
    accountType: instrument === undefined ? '' : accountTypeOf(instrument),
    messages: isDenied ? undefined : [{ code: reasonCode, description: reason }],
    errors: isDenied ? [{ errorCode: reasonCode, errorText: reason }] : undefined,
    userFields: userFields.length === 0 ? undefined : userFields,
    transHashSha2: '',
    profile,
    SupplementalDataQualificationIndicator: 0,
    networkTransId: instrument?.kind === 'card' && transId !== '0' && !isDenied ? `NT${transId}` : undefined,
  })
}

/** The error E00013 of a transaction that never began because of its request; a value, not thrown here. */
export const invalidFieldError = (text: string): AuthorizeError => new AuthorizeError('E00013', text)
