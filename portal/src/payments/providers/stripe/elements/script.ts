import type { Stripe, StripeConstructor } from '@stripe/stripe-js'

type GlobalWithStripe = typeof globalThis & { Stripe?: StripeConstructor }

let loading: { readonly url: string; readonly script: Promise<StripeConstructor> } | null = null

/**
 * Loads Stripe's script from the configured address, once, and returns it for an account, in English. After a failure the next
 * call tries again.
 * @throws Error when the script could not be loaded
 */
export const loadStripe = async (url: string, publishableKey: string): Promise<Stripe> => {
  if (loading?.url !== url) loading = { url, script: loadScript(url) }
  try {
    const Stripe = await loading.script
    return Stripe(publishableKey, { locale: 'en' })
  } catch (failure) {
    loading = null
    throw failure
  }
}

/** Adds Stripe's script to the document and waits for its global. Rejects, and takes the script out again, when it cannot be loaded. */
const loadScript = (url: string): Promise<StripeConstructor> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = (): void => {
      script.remove()
      reject(new Error("Stripe's script could not be loaded."))
    }
    script.addEventListener('error', fail)
    script.addEventListener('load', () => {
      const { Stripe } = globalThis as GlobalWithStripe
      if (Stripe === undefined) fail()
      else resolve(Stripe)
    })
    script.async = true
    script.src = url
    document.head.append(script)
  })
