import { ShownError } from '../../../../api/api-error.ts'
import { type AcceptResponse, readAcceptToken } from './accept-token.ts'

/** A card as Accept.js takes it. */
interface AcceptCard {
  readonly cardNumber: string
  readonly month: string
  readonly year: string
  readonly cardCode?: string
}

interface AcceptScript {
  readonly dispatchData: (
    data: { readonly authData: { readonly apiLoginID: string; readonly clientKey: string }; readonly cardData: AcceptCard },
    callback: (response: AcceptResponse) => void,
  ) => void
}

type GlobalWithAccept = typeof globalThis & { Accept?: AcceptScript }

let loading: { readonly url: string; readonly script: Promise<AcceptScript> } | null = null

/**
 * Loads Accept.js from the configured address, once. After a failure the next call tries again.
 * @throws Error when it could not be loaded
 */
export const loadAccept = async (url: string): Promise<AcceptScript> => {
  if (loading?.url !== url) loading = { url, script: loadScript(url) }
  try {
    return await loading.script
  } catch (failure) {
    loading = null
    throw failure
  }
}

/** Adds the script to the document and waits for its global. Rejects, and takes the script out again, when it cannot be loaded. */
const loadScript = (url: string): Promise<AcceptScript> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = (): void => {
      script.remove()
      reject(new Error('Accept.js could not be loaded.'))
    }
    script.addEventListener('error', fail)
    script.addEventListener('load', () => {
      const { Accept } = globalThis as GlobalWithAccept
      if (Accept === undefined) fail()
      else resolve(Accept)
    })
    script.async = true
    script.src = url
    document.head.append(script)
  })

const TIMEOUT_MS = 30_000

/**
 * Sends a card from the browser to Authorize.net and returns a token for it, which is all that our server gets.
 * @param account what the server gave for this: `apiLoginID` and `clientKey`, which are public
 * @throws ShownError with a text to show
 */
export const createAcceptToken = (
  accept: AcceptScript,
  { apiLoginID = '', clientKey = '' }: Readonly<Record<string, string>>,
  cardData: AcceptCard,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ShownError('Your card could not be sent. Please try again.')), TIMEOUT_MS)
    accept.dispatchData({ authData: { apiLoginID, clientKey }, cardData }, (response) => {
      clearTimeout(timer)
      try {
        resolve(readAcceptToken(response))
      } catch (failure) {
        reject(failure)
      }
    })
  })
