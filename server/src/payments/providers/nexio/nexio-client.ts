import { Type } from 'typebox'
import { NoResponseError } from '../../../kit/outgoing-http.ts'
import { matchesSchema } from '../../../kit/schema.ts'
import type { ChargePermit, WithoutCharges } from '../charge-permit.ts'
import type { AccountCheck, ProviderContext } from '../account.ts'
import type { ChargeResult } from '../charge-result.ts'
import type { NexioSettings } from './nexio.settings.ts'

export type NexioContext = ProviderContext<NexioSettings>

/** A complete answer. Its body is undefined where it is not JSON. */
export interface NexioAnswer {
  readonly status: number
  readonly body: unknown
}

/** What charges a card, and an account. */
type ChargePath = '/pay/v3/process' | '/pay/v3/processECheck'

interface NexioRequest<Path extends string = string> {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: Path & WithoutCharges<Path, ChargePath>
  readonly body?: object
  /** Whether a one-time token in the body takes the place of the user name and the password. */
  readonly isOneTime?: boolean
}

/**
 * Sends one request that charges nothing. An answer of any status is returned.
 * @throws NoResponseError when no complete answer arrived
 */
export const callNexio = <Path extends string>(context: NexioContext, request: NexioRequest<Path>): Promise<NexioAnswer> =>
  sendRequest(context, request)

/**
 * Sends a charge, once. An answer of any status is returned.
 * @throws NoResponseError when no complete answer arrived
 */
export const sendCharge = (context: NexioContext, permit: ChargePermit, path: ChargePath, body: object): Promise<NexioAnswer> =>
  sendRequest(context, { method: 'POST', path, body }, permit)

/** Sends one request, with the account's credentials unless a one-time token stands for them. An answer of any status is returned. */
const sendRequest = async (
  context: NexioContext,
  { method, path, body, isOneTime = false }: Omit<NexioRequest, 'path'> & { readonly path: string },
  permit?: ChargePermit,
): Promise<NexioAnswer> => {
  const { status, text } = await context.http.send({
    method,
    url: `${context.baseUrl}${path}`,
    headers: {
      accept: 'application/json',
      ...(isOneTime ? {} : { authorization: basicAuthorization(context.settings) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    permit,
  })
  return { status, body: parseJson(text) }
}

const basicAuthorization = ({ username, password }: NexioSettings): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** The value of a text of JSON, of whatever form; undefined for any other text. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The field with the merchant for which a request is; no field where the settings name none. */
export const merchantField = ({ settings }: NexioContext): { readonly merchantId?: string } =>
  settings.merchantId === undefined ? {} : { merchantId: settings.merchantId }

/** The result of a charge whose request threw: `not_sent` where the request certainly did not arrive, else `unknown`. */
export const resultWithoutAnswer = (error: unknown): Extract<ChargeResult, { state: 'not_sent' | 'unknown' }> => {
  const detail = error instanceof Error ? error.message : 'the request failed'
  const wasNotSent = error instanceof NoResponseError && !error.mayHaveArrived
  return { state: wasNotSent ? 'not_sent' : 'unknown', detail }
}

/** An answer in words for operators: its status and Nexio's own error code. */
export const describeAnswer = ({ status, body }: NexioAnswer): string => {
  const code = errorCodeOf(body)
  return `nexio answered ${status}${code === undefined ? '' : ` (error ${code})`}`
}

const WireError = Type.Object({ error: Type.Integer() })

/** Nexio's own code in the body of an error, which may look like an HTTP status and come with another one. Undefined for any other body. */
export const errorCodeOf = (body: unknown): number | undefined => (matchesSchema(WireError, body) ? body.error : undefined)

const WireUser = Type.Object({ userName: Type.String(), enabled: Type.Optional(Type.Boolean()) })

/**
 * The user of the credentials. `canCharge` tells whether the merchant of the settings is theirs.
 * @throws Error with a sentence for operators when Nexio refuses the credentials or does not answer properly
 */
export const checkNexioAccount = async (context: NexioContext): Promise<AccountCheck> => {
  const user = await callNexio(context, { method: 'GET', path: '/user/v3/account/whoAmI' })
  if (user.status === 401 || user.status === 403) throw new Error('Nexio refuses the user name or the password.')
  if (user.status !== 200 || !matchesSchema(WireUser, user.body)) throw new Error(`Nexio cannot be asked: ${describeAnswer(user)}.`)
  const { userName, enabled = true } = user.body
  return { account: userName, canCharge: enabled && (await hasMerchant(context)), country: null }
}

const WireMerchants = Type.Object({ rows: Type.Array(Type.Object({ merchantId: Type.String(), enabled: Type.Optional(Type.Boolean()) })) })

/** Whether the account has the settings' merchant and it is enabled; where they name none, whether exactly one is enabled. */
const hasMerchant = async (context: NexioContext): Promise<boolean> => {
  const { merchantId } = context.settings
  const answer = await callNexio(context, { method: 'GET', path: '/merchant/v3' })
  if (answer.status !== 200 || !matchesSchema(WireMerchants, answer.body))
    throw new Error(`Nexio cannot be asked: ${describeAnswer(answer)}.`)
  const enabled = answer.body.rows.filter((merchant) => merchant.enabled !== false)
  return merchantId === undefined ? enabled.length === 1 : enabled.some((merchant) => merchant.merchantId === merchantId)
}
