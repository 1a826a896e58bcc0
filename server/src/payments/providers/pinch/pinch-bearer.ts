import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { matchesSchema } from '../../../kit/schema.ts'
import type { ProviderContext } from '../account.ts'
import type { PinchSettings } from './pinch.settings.ts'

/** Pinch's production hosts. */
export const LIVE_HOSTS = /(^|\.)getpinch\.com\.au$/

const LIVE_TOKEN_URL = 'https://auth.getpinch.com.au/connect/token'
const KEY = 'bearer'
/** A little less than the hour for which Pinch gives a token. */
const TTL_MS = 59 * 60_000
/** How long calls that were refused with one token share what replaced it. */
const RENEWAL_MS = 60_000

/** The token server gave no token, so nothing was sent. */
export class TokenUnavailable extends Error {
  override readonly name = 'TokenUnavailable'
}

/** The token server does not know the application or its key. */
export class CredentialsRejected extends Error {
  override readonly name = 'CredentialsRejected'
}

type Context = ProviderContext<PinchSettings>

/**
 * The account's bearer token: the remembered one, else a new one from the token server.
 * @throws TokenUnavailable, CredentialsRejected when there is none
 */
export const readBearer = (context: Context): Promise<string> => context.cache.remember(KEY, TTL_MS, () => requestBearer(context))

/**
 * A new bearer token in place of one that was refused, which is forgotten. Calls that were refused with the same one ask for one new token
 * together.
 * @throws as readBearer
 */
export const renewBearer = ({ cache, ...context }: Context, refused: string): Promise<string> => {
  const fingerprint = createHash('sha256').update(refused).digest('base64url')
  return cache.remember(`${KEY} after ${fingerprint}`, RENEWAL_MS, () => {
    cache.forget(KEY)
    return readBearer({ ...context, cache })
  })
}

const WireToken = Type.Object({ access_token: Type.String({ pattern: '^[\\x21-\\x7e]{1,8000}$' }) })
const WireRefused = Type.Object({ error: Type.String() })

/**
 * Asks Pinch's token server for a bearer token.
 * @throws CredentialsRejected when the application or its key is refused; TokenUnavailable when no token arrives
 */
const requestBearer = async ({ settings, http, baseUrl }: Context): Promise<string> => {
  const { status, text } = await send()
  const body = parseJson(text)
  if (status === 200 && matchesSchema(WireToken, body)) return body.access_token
  if ((status === 400 || status === 401) && matchesSchema(WireRefused, body))
    throw new CredentialsRejected('Pinch refuses the application id or the secret key.')
  throw new TokenUnavailable(`pinch's token server answered ${status}`)

  async function send() {
    try {
      return await http.send({
        method: 'POST',
        url: LIVE_HOSTS.test(new URL(baseUrl).host) ? LIVE_TOKEN_URL : `${baseUrl}/connect/token`,
        headers: {
          accept: 'application/json',
          authorization: `Basic ${Buffer.from(`${settings.applicationId}:${settings.secretKey}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials&scope=api1',
      })
    } catch (error) {
      throw new TokenUnavailable("pinch's token server did not answer", { cause: error })
    }
  }
}

/** The parsed JSON; undefined for a text that is none. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
