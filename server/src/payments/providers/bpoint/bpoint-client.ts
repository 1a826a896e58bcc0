import { addMs } from '../../../kit/clock.ts'
import { NoResponseError } from '../../../kit/outgoing-http.ts'
import type { ChargePermit, WithoutCharges } from '../charge-permit.ts'
import type { AccountCheck, ProviderContext } from '../account.ts'
import type { ChargeResult } from '../charge-result.ts'
import { errorOf } from './bpoint-errors.ts'
import type { BpointSettings } from './bpoint.settings.ts'

export type BpointContext = ProviderContext<BpointSettings>

/** A complete answer. Its body is null where it is empty, and undefined where it is not JSON. */
export interface BpointAnswer {
  readonly status: number
  readonly body: unknown
}

/** What processes a payment that is prepared under a key. */
type ChargePath = `/txns/authkeys/${string}/process`

interface BpointRequest<Path extends string = string> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below /rest/v5. */
  readonly path: Path & WithoutCharges<Path, ChargePath>
  readonly body?: object
}

/**
 * Sends one request that charges nothing. An answer of any status is returned.
 * @throws NoResponseError when no complete answer arrived
 */
export const callBpoint = <Path extends string>(context: BpointContext, request: BpointRequest<Path>): Promise<BpointAnswer> =>
  sendRequest(context, request)

/**
 * Charges: processes the payment that is prepared under a key. An answer of any status is returned.
 * @throws NoResponseError when no complete answer arrived
 */
export const processAuthKey = (context: BpointContext, permit: ChargePermit, authKey: string, body: object): Promise<BpointAnswer> =>
  sendRequest(context, { method: 'POST', path: `/txns/authkeys/${authKey}/process`, body }, permit)

/** Sends one request with the account's credentials. An answer of any status is returned. */
const sendRequest = async (
  context: BpointContext,
  { method, path, body }: Omit<BpointRequest, 'path'> & { readonly path: string },
  permit?: ChargePermit,
): Promise<BpointAnswer> => {
  const { status, text } = await context.http.send({
    method,
    url: `${context.baseUrl}/rest/v5${path}`,
    headers: {
      accept: 'application/json',
      authorization: basicAuthorization(context.settings),
      ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    permit,
  })
  return { status, body: parseJson(text) }
}

const basicAuthorization = ({ username, merchantNumber, password }: BpointSettings): string =>
  `Basic ${Buffer.from(`${username}|${merchantNumber}:${password}`).toString('base64')}`

/** The parsed JSON; null for an empty text, undefined for one that is not JSON. */
const parseJson = (text: string): unknown => {
  try {
    return text.trim() === '' ? null : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

/** Whether a call did what it says: any 2xx counts, also without a body, but not with one that is no JSON. */
export const isDone = ({ status, body }: BpointAnswer): boolean => status >= 200 && status < 300 && body !== undefined

/** The result of a charge whose request threw: `not_sent` where the request certainly did not arrive, else `unknown`. */
export const resultWithoutAnswer = (error: unknown): Extract<ChargeResult, { state: 'not_sent' | 'unknown' }> => {
  const detail = error instanceof Error ? error.message : 'the request failed'
  const wasNotSent = error instanceof NoResponseError && !error.mayHaveArrived
  return { state: wasNotSent ? 'not_sent' : 'unknown', detail }
}

/** An answer in words for operators: its status and BPOINT's own error code. */
export const describeAnswer = ({ status, body }: BpointAnswer): string => {
  const error = errorOf(body)
  return `bpoint answered ${status}${error === undefined ? '' : ` (${error.code})`}`
}

const SYDNEY_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney', dateStyle: 'short' })

/** The day of BPOINT's searches on which an instant falls: YYYY-MM-DD. */
export const sydneyDay = (at: Date): string => SYDNEY_DAY.format(at)

const DAY_MS = 86_400_000

/**
 * Tries the credentials by a search that finds nothing: BPOINT has no call that tells of the account. The result is made of the settings.
 * @throws Error with a sentence for operators when BPOINT refuses the credentials or does not answer properly
 */
export const checkBpointAccount = async (context: BpointContext): Promise<AccountCheck> => {
  const { merchantNumber } = context.settings
  const answer = await callBpoint(context, {
    method: 'POST',
    path: '/txns/search',
    body: {
      merchantReference: 'account-check',
      fromDate: sydneyDay(addMs(context.now, -DAY_MS)),
      toDate: sydneyDay(context.now),
    },
  })
  if (answer.status === 401 || answer.status === 403) throw new Error('BPOINT refuses the user name, the merchant number or the password.')
  if (!isDone(answer) || typeof answer.body !== 'object') throw new Error(`BPOINT cannot be asked: ${describeAnswer(answer)}.`)
  return { account: merchantNumber, canCharge: true, country: 'AU' }
}
