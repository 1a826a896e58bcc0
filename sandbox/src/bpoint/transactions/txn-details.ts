import { invalidField, invalidFields } from '../api/bpoint-error.ts'
import { type Fields, optionalText, requiredText, textField } from '../api/fields.ts'

/** What a transaction is, without its payment method. */
export interface TxnDetails {
  readonly action: string
  readonly type: string
  readonly subType: string
  /** In cents. */
  readonly amount: number
  readonly billerCode: string | null
  readonly crn1: string
  readonly crn2: string | null
  readonly crn3: string | null
  readonly merchantReference: string | null
  readonly emailAddress: string | null
  readonly originalTxnNumber: string | null
  readonly testMode: boolean
}

const ACTIONS = ['Payment', 'Refund', 'Reversal']
const TYPES = ['Internet', 'CallCentre', 'ECommerce', 'MailOrder', 'TelephoneOrder', 'IVR']
const SUB_TYPES = ['Single', 'Recurring']
const MAX_AMOUNT = 99_999_999_999

/**
 * A transaction without its payment method, as the body describes it.
 * @throws BpointError when a field is missing or wrong; a missing `crn1` and a wrong amount are reported together
 */
export const parseTxnDetails = (body: Fields): TxnDetails => {
  const { amount } = body
  const isAmount = typeof amount === 'number' && Number.isSafeInteger(amount) && amount > 0 && amount <= MAX_AMOUNT
  const problems = [
    ...(textField(body, 'crn1') === undefined ? [{ code: 'Mandatory', message: 'Crn1 is required', field: 'crn1' }] : []),
    ...(isAmount ? [] : [{ code: 'OutOfRange', message: 'Amount must be greater than zero', field: 'amount' }]),
  ]
  if (problems.length > 0) throw invalidFields(problems)
  if ((textField(body, 'currency') ?? 'AUD') !== 'AUD') throw invalidField('currency', 'Currency is not supported')
  return {
    action: oneOf(body, 'action', ACTIONS),
    type: oneOf(body, 'type', TYPES),
    subType: oneOf(body, 'subType', SUB_TYPES),
    amount: Number(amount),
    billerCode: optionalText(body, 'billerCode'),
    crn1: requiredText(body, 'crn1'),
    crn2: optionalText(body, 'crn2'),
    crn3: optionalText(body, 'crn3'),
    merchantReference: optionalText(body, 'merchantReference'),
    emailAddress: optionalText(body, 'emailAddress', 254),
    originalTxnNumber: optionalText(body, 'originalTxnNumber'),
    testMode: body['testMode'] === true,
  }
}

/** The text field `name`, which must be one of `values`; the first of them when absent. @throws BpointError for any other text */
const oneOf = (body: Fields, name: string, values: readonly string[]): string => {
  const value = textField(body, name) ?? values[0] ?? ''
  if (!values.includes(value)) throw invalidField(name, `${name} is not supported`)
  return value
}
