import { Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import type { ChargePermit } from '../charge-permit.ts'
import type { ProviderContext } from '../account.ts'
import type { AuthorizeSettings } from './authorize.settings.ts'

export type AuthorizeContext = ProviderContext<AuthorizeSettings>

/** Part of a request. The order of its keys is that of the schema, which the gateway enforces. */
export type Fields = Readonly<Record<string, unknown>>

/** An answer that can be read. What it says about money is in `body`; of a charge, `isOk` says nothing. */
export interface Answer {
  readonly body: Fields
  readonly isOk: boolean
  /** Of the first message: I00001, E00027, … */
  readonly code: string
  readonly text: string
}

const PATH = '/xml/v1/request.api'
const BYTE_ORDER_MARK = '\uFEFF'

const WireAnswer = Type.Object({
  messages: Type.Object({
    resultCode: Type.Union([Type.Literal('Ok'), Type.Literal('Error')]),
    message: Type.Array(Type.Object({ code: Type.String(), text: Type.String() }), { minItems: 1 }),
  }),
})

/** The root key of a request that moves no money: it reads, or it stores, changes or deletes a customer's methods. */
type NonPaymentRequest =
  | 'createCustomerPaymentProfileRequest'
  | 'createCustomerProfileRequest'
  | 'deleteCustomerPaymentProfileRequest'
  | 'getCustomerPaymentProfileRequest'
  | 'getCustomerProfileRequest'
  | 'getMerchantDetailsRequest'
  | 'getSettledBatchListRequest'
  | 'getTransactionDetailsRequest'
  | 'getTransactionListRequest'
  | 'getUnsettledTransactionListRequest'
  | 'updateCustomerPaymentProfileRequest'

/** A transaction that gives money back. */
type ReturnFields = Fields & { readonly transactionType: 'refundTransaction' | 'voidTransaction' }

/**
 * Sends a request that moves no money, and returns its answer even if that is an error of Authorize.net.
 * @throws NoResponseError when no answer arrived; Error when the status is not 200 or the answer has no messages
 */
export const callAuthorize = (context: AuthorizeContext, name: NonPaymentRequest, fields: Fields): Promise<Answer> =>
  sendRequest(context, name, fields)

/**
 * Sends a transaction that authorizes and captures at once.
 * @throws as callAuthorize
 */
export const sendCharge = (context: AuthorizeContext, permit: ChargePermit, refId: string, fields: Fields): Promise<Answer> =>
  sendRequest(
    context,
    'createTransactionRequest',
    { refId, transactionRequest: { transactionType: 'authCaptureTransaction', ...fields } },
    permit,
  )

/**
 * Sends a void or a refund, as `transactionRequest` says. An error of Authorize.net is an answer, not thrown.
 * @throws as callAuthorize
 */
export const sendReturn = (context: AuthorizeContext, refId: string, transactionRequest: ReturnFields): Promise<Answer> =>
  sendRequest(context, 'createTransactionRequest', { refId, transactionRequest })

/** Posts a request with the account's credentials and decodes the answer, also one that is an error of Authorize.net. */
const sendRequest = async (
  { settings, baseUrl, http }: AuthorizeContext,
  name: string,
  fields: Fields,
  permit?: ChargePermit,
): Promise<Answer> => {
  const { loginId, transactionKey } = settings
  const request = {
    merchantAuthentication: { name: loginId, transactionKey },
    ...fields,
  }
  const { status, text } = await http.send({
    method: 'POST',
    url: baseUrl + PATH,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ [name]: request }),
    permit,
  })
  if (status !== 200) throw new Error(`authorize answered ${status}`)
  return decodeAnswer(text)
}

/**
 * Decodes an answer of Authorize.net, without its byte order mark. An answer that reports an error is decoded too.
 * @throws Error when the text is not JSON or has no messages
 */
export const decodeAnswer = (text: string): Answer => {
  const body = parseJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  if (!matchesSchema(WireAnswer, body)) throw new Error('authorize answered in an unknown format')
  const [first = { code: '', text: '' }] = body.messages.message
  return { body: { ...body }, isOk: body.messages.resultCode === 'Ok', ...first }
}

/** The parsed JSON; undefined for a text that is none. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A request that Authorize.net rejected. */
export class RejectedRequest extends Error {
  override readonly name = 'RejectedRequest'
  readonly code: string

  constructor({ code, text }: Pick<Answer, 'code' | 'text'>) {
    super(`authorize answered ${code}: ${text}`)
    this.code = code
  }
}

/**
 * Sends a request that moves no money, and returns the body of its answer.
 * @throws RejectedRequest when the answer is not `Ok`; Errors as callAuthorize
 */
export const queryAuthorize = async (context: AuthorizeContext, name: NonPaymentRequest, fields: Fields): Promise<Fields> => {
  const answer = await callAuthorize(context, name, fields)
  if (!answer.isOk) throw new RejectedRequest(answer)
  return answer.body
}

/** Whether an error says that Authorize.net has no record of the id asked for. The error may be anything that was thrown. */
export const isNotFound = (error: unknown): boolean => error instanceof RejectedRequest && error.code === 'E00040'

/** The message of an Error; a fixed text for anything else that was thrown. */
export const describeError = (error: unknown): string => (error instanceof Error ? error.message : 'the request failed')
