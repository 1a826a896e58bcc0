import type { Endpoint } from '@counterfoil/contract/kit/http/endpoint'
import { ApiError } from './api-error.ts'
import { sendRequest } from './send-request.ts'

const HEALTH: Endpoint = { method: 'GET', path: '/healthz', access: 'public', summary: 'Does the server live?', response: null }
const TIMEOUT_MS = 10_000

/** A part of the program did not come, because no server could be reached. */
export class ServerUnreachable extends Error {
  override readonly name = 'OutOfReach'
}

/** Does a server answer this page, whatever it says? */
export const isServerReachable = (): Promise<boolean> =>
  sendRequest(HEALTH, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    () => true,
    (failure: unknown) => failure instanceof ApiError && failure.status !== 0,
  )

/**
 * Fetches a part of the program.
 * @throws OutOfReach where it does not come and no server can be reached; else what the browser says
 */
export const loadModule = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load()
  } catch (cause) {
    throw (await isServerReachable()) ? cause : new ServerUnreachable('The server could not be reached.', { cause })
  }
}
