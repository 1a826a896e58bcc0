import { PORTAL_CLIENT, signIn as endpoints } from '@counterfoil/contract/sign-in'
import { callApi } from './call-api.ts'
import { sendRequest } from './send-request.ts'
import { type Auth, clearSession, storedAuth, storeSession } from './session.ts'

const CLIENT = { client_id: PORTAL_CLIENT.id, client_secret: PORTAL_CLIENT.secret } as const

const REVOKE_TIMEOUT_MS = 5_000

/**
 * Signs in with user name and password and stores the session.
 * @throws ApiError as `callApi` does; `userMessage` is the server's error_description
 */
export const signIn = async (username: string, password: string): Promise<void> =>
  storeSession(await callApi(endpoints.token, { body: { grant_type: 'password', username, password, ...CLIENT } }))

/**
 * Signs in with a one-time code from the address, stores the session, and revokes the previous one.
 * @param redirectUri  the page that received the code
 * @param isSuperUser  true for a support session
 * @throws ApiError as `callApi` does
 */
export const signInWithCode = async (code: string, redirectUri: string, isSuperUser = false): Promise<void> => {
  const response = await callApi(endpoints.token, {
    body: { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...CLIENT },
  })
  const previous = storedAuth()
  storeSession(response, isSuperUser)
  if (previous !== null) await revoke(previous)
}

/** Clears the session and revokes its tokens on the server, ignoring failures. The caller opens /login. */
export const signOut = async (): Promise<void> => {
  const auth = storedAuth()
  clearSession()
  if (auth !== null) await revoke(auth)
}

/**
 * Revokes a session's tokens on the server, in a request that outlives the page. Never throws: in this browser the session is over anyway.
 */
const revoke = async ({ refresh_token: token }: Auth): Promise<void> => {
  const request = sendRequest(endpoints.revoke, {
    body: { token, token_type_hint: 'refresh_token', ...CLIENT },
    signal: AbortSignal.timeout(REVOKE_TIMEOUT_MS),
    keepalive: true,
  })
  await request.catch(() => undefined)
}
