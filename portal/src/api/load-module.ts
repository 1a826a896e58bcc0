import type { Endpoint } from '@counterfoil/contract/kit/http/endpoint'
import { ApiError } from './api-error.ts'
import { sendRequest } from './send-request.ts'

const HEALTH: Endpoint = { method: 'GET', path: '/healthz', access: 'public', summary: 'Does the server live?', response: null }
const TIMEOUT_MS = 10_000

/** A chunk of the app could not be loaded because the server cannot be reached. */
export class ServerUnreachable extends Error {
  override readonly name = 'OutOfReach'
}

/** Does the server respond at all? Asks /healthz; an error status counts as a response. Never throws. */
export const isServerReachable = (): Promise<boolean> =>
  sendRequest(HEALTH, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    () => true,
    (failure: unknown) => failure instanceof ApiError && failure.status !== 0,
  )

/**
 * Loads a chunk of the app by dynamic import.
 * @throws ServerUnreachable when the import fails and the server cannot be reached; otherwise the browser's error
 */
export const loadModule = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load()
  } catch (cause) {
    throw (await isServerReachable()) ? cause : new ServerUnreachable('The server could not be reached.', { cause })
  }
}
