import type { Endpoint } from '@counterfoil/contract/kit/http/endpoint'
import { AskFailed } from './api-error.ts'
import { send } from './send-request.ts'

const HEALTH: Endpoint = { method: 'GET', path: '/healthz', access: 'public', summary: 'Does the server live?', response: null }
const PATIENCE_MS = 10_000

/** A part of the program did not come, because no server could be reached. */
export class OutOfReach extends Error {
  override readonly name = 'OutOfReach'
}

/** Does a server answer this page, whatever it says? */
export const serverAnswers = (): Promise<boolean> =>
  send(HEALTH, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    () => true,
    (failure: unknown) => failure instanceof AskFailed && failure.status !== 0,
  )

/**
 * Fetches a part of the program.
 * @throws OutOfReach where it does not come and no server can be reached; else what the browser says
 */
export const fetchPart = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load()
  } catch (cause) {
    throw (await serverAnswers()) ? cause : new OutOfReach('The server could not be reached.', { cause })
  }
}
