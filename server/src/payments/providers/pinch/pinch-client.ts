import { NoResponseError } from '../../../kit/outgoing-http.ts'
import type { ChargePermit, WithoutCharges } from '../charge-permit.ts'
import type { AccountCheck, ProviderContext } from '../account.ts'
import type { ChargeResult } from '../charge-result.ts'
import { CredentialsRejected, readBearer, renewBearer, TokenUnavailable } from './pinch-bearer.ts'
import { declineOf } from './pinch-declines.ts'
import { errorMessagesOf } from './pinch-errors.ts'
import { currencyOf, type PinchSettings } from './pinch.settings.ts'

export type PinchContext = ProviderContext<PinchSettings>

/** A complete answer. Its body is undefined where it is not JSON. */
export interface PinchAnswer {
  readonly status: number
  readonly body: unknown
}

/** What debits an account, and charges a card. */
type ChargePath = '/payments' | '/payments/realtime'

interface PinchRequest<Path extends string = string> {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path below the mode. */
  readonly path: Path & WithoutCharges<Path, ChargePath>
  readonly body?: object
}

/** The version whose answers are read here; without it Pinch answers in its newest one. */
const API_VERSION = '2020.1'

/** The address of the API with the account's mode, live or test, as its path. */
export const modeUrl = ({ baseUrl, settings }: Pick<PinchContext, 'baseUrl' | 'settings'>): string => `${baseUrl}/${settings.mode}`

/**
 * Sends one request that charges nothing, and returns an answer of any status. A bearer token that has ended is renewed, and the request
 * sent once more: Pinch did nothing without one.
 * @throws NoResponseError when no complete answer arrived
 * @throws TokenUnavailable, CredentialsRejected when there is no bearer token, so that nothing was sent
 */
export const callPinch = <Path extends string>(context: PinchContext, request: PinchRequest<Path>): Promise<PinchAnswer> =>
  sendRequest(context, request)

/**
 * Sends a charge; once more with a new bearer token when the first was refused.
 * @throws as callPinch
 */
export const sendCharge = (context: PinchContext, permit: ChargePermit, path: ChargePath, body: object): Promise<PinchAnswer> =>
  sendRequest(context, { method: 'POST', path, body, permit })

type Sending = Omit<PinchRequest, 'path'> & { readonly path: string; readonly permit?: ChargePermit }

/** Sends one request with the bearer token; once more with a new one when the token was refused. An answer of any status is returned. */
const sendRequest = async (context: PinchContext, request: Sending): Promise<PinchAnswer> => {
  const bearer = await readBearer(context)
  const answer = await sendWith(context, bearer, request)
  return answer.status === 401 ? sendWith(context, await renewBearer(context, bearer), request) : answer
}

/** Sends a request once, with this bearer token. */
const sendWith = async (context: PinchContext, bearer: string, { method, path, body, permit }: Sending): Promise<PinchAnswer> => {
  const { merchantId } = context.settings
  const { status, text } = await context.http.send({
    method,
    url: `${modeUrl(context)}${path}`,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${bearer}`,
      'pinch-version': API_VERSION,
      ...(merchantId === undefined ? {} : { 'current-merchant': merchantId }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    permit,
  })
  return { status, body: parseJson(text) }
}

/** The parsed JSON; undefined for a text that is none. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * The result of a charge whose request threw: refused credentials are a decline, what certainly did not arrive is `not_sent`, all else
 * `unknown`.
 */
export const resultWithoutAnswer = (error: unknown): Extract<ChargeResult, { state: 'not_sent' | 'unknown' | 'declined' }> => {
  const detail = error instanceof Error ? error.message : 'the request failed'
  if (error instanceof CredentialsRejected) return declineOf('not_configured', 'invalid_client')
  const wasNotSent = error instanceof TokenUnavailable || (error instanceof NoResponseError && !error.mayHaveArrived)
  return { state: wasNotSent ? 'not_sent' : 'unknown', detail }
}

/** An answer in words for operators: its status and Pinch's first message. */
export const describeAnswer = ({ status, body }: PinchAnswer): string => {
  const [message] = errorMessagesOf(body)
  return `pinch answered ${status}${message === undefined ? '' : ` (${message})`}`
}

/**
 * Finds out whether the credentials are good in the account's mode, live or test. The result is made of the settings.
 * @throws Error with a sentence for operators when they are not, or Pinch does not answer
 */
export const checkPinchAccount = async (context: PinchContext): Promise<AccountCheck> => {
  const { applicationId, secretKey, mode } = context.settings
  if (mode === 'live' && secretKey.startsWith('sk_test_')) throw new Error('The secret key is one of the test mode, and the mode is live.')
  if (mode === 'test' && secretKey.startsWith('sk_live_')) throw new Error('The secret key is one of the live mode, and the mode is test.')
  const answer = await callPinch(context, { method: 'GET', path: '/health/auth' })
  // Who is not authenticated is told that the check does not exist.
  if (answer.status === 404 || answer.status === 401 || answer.status === 403)
    throw new Error('Pinch refuses the application in this mode.')
  if (answer.status !== 200) throw new Error(`Pinch cannot be asked: ${describeAnswer(answer)}.`)
  return { account: `${applicationId} (${mode})`, canCharge: true, country: currencyOf(context.settings) === 'NZD' ? 'NZ' : 'AU' }
}
