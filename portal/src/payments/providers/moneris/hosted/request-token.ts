import { ShownError } from '../../../../api/api-error.ts'
import { readToken } from './token-message.ts'

const TIMEOUT_MS = 30_000

/**
 * Asks Moneris' frame, by a message, for a token of the card that was typed into it.
 * @throws ShownError with a text to show, also when the frame does not answer in time
 */
export const requestToken = (frame: HTMLIFrameElement | null): Promise<string> =>
  new Promise((resolve, reject) => {
    const target = frame?.contentWindow
    if (!target) throw new ShownError('The card fields are still loading. Try again.')
    const { origin } = new URL(frame.src)
    const stopped = new AbortController()
    const answer = (read: () => string): void => {
      stopped.abort()
      clearTimeout(timer)
      try {
        resolve(read())
      } catch (failure) {
        reject(failure)
      }
    }
    const timer = setTimeout(() => answer(throwTimeout), TIMEOUT_MS)
    const handleMessage = (event: MessageEvent): void => {
      // Any other page may send messages too.
      if (event.source === target && event.origin === origin) answer(() => readToken(event.data))
    }
    addEventListener('message', handleMessage, { signal: stopped.signal })
    target.postMessage('tokenize', origin)
  })

/** Always throws a ShownError: the frame did not answer. */
const throwTimeout = (): never => {
  throw new ShownError('The card fields did not answer. Please try again.')
}
