import { ShownError } from '../../../../api/api-error.ts'
import { assertAttached, type AttachData } from './attach-answer.ts'

/** A card or an account as BPOINT's script takes it. */
export type AttachedMethod =
  | {
      readonly card: {
        readonly number: string
        readonly expiry: { readonly month: string; readonly year: string }
        readonly cvn: string
        readonly name: string
      }
    }
  | { readonly bank: { readonly bsb: string; readonly account: string; readonly name: string } }

interface KeyScript {
  readonly authkey: {
    readonly attachPaymentMethod: (
      authKey: string,
      method: AttachedMethod,
      callback: (code: unknown, data: AttachData | null | undefined) => void,
    ) => void
  }
}

interface BpointScript {
  /** For keys that pay. */
  readonly txn: KeyScript
  /** For keys that store. */
  readonly token: KeyScript
}

type GlobalWithBpoint = typeof globalThis & { BPOINT?: BpointScript }

const BLOCKED = 'Your payment method could not be sent, because a script of our payment partner is blocked. Please allow it and try again.'
const TIMEOUT_MS = 30_000

let loading: { readonly url: string; readonly script: Promise<BpointScript | null> } | null = null

/** Loads BPOINT's script from the configured address, once. A missing one is only logged (PM-06); null then, and the next call tries again. */
export const loadBpoint = async (url: string): Promise<BpointScript | null> => {
  if (loading?.url !== url) loading = { url, script: loadScript(url) }
  const script = await loading.script
  if (script === null) loading = null
  return script
}

/** Adds the script to the document and waits for its global; null, with a line in the console, when it cannot be loaded. */
const loadScript = (url: string): Promise<BpointScript | null> =>
  new Promise((resolve) => {
    const script = document.createElement('script')
    const fail = (): void => {
      script.remove()
      console.error('The script of BPOINT is missing.') // oxlint-disable-line no-console
      resolve(null)
    }
    script.addEventListener('error', fail)
    script.addEventListener('load', () => {
      const { BPOINT } = globalThis as GlobalWithBpoint
      if (BPOINT === undefined) fail()
      else resolve(BPOINT)
    })
    script.async = true
    script.src = url
    document.head.append(script)
  })

/**
 * Attaches a card or an account to a key, from the browser straight to BPOINT: our server sees the key alone.
 * @throws ShownError with a text to show
 */
export const attachMethod = async (
  { url, purpose, authKey }: { readonly url: string; readonly purpose: 'txn' | 'token'; readonly authKey: string },
  method: AttachedMethod,
): Promise<void> => {
  const script = await loadBpoint(url)
  if (script === null) throw new ShownError(BLOCKED)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ShownError('Your payment method could not be sent. Please try again.')), TIMEOUT_MS)
    script[purpose].authkey.attachPaymentMethod(authKey, method, (code, data) => {
      clearTimeout(timer)
      try {
        assertAttached(code, data)
        resolve()
      } catch (failure) {
        reject(failure)
      }
    })
  })
}
