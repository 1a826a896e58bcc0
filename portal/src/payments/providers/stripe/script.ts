import type { Stripe, StripeConstructor } from '@stripe/stripe-js'

type WithStripe = typeof globalThis & { Stripe?: StripeConstructor }

let loading: { readonly address: string; readonly script: Promise<StripeConstructor> } | null = null

/**
 * Stripe's own script for one account, in English (payments.md §9). Loaded from the configured address, once, and only where
 * somebody needs it; after a failure the next call tries again.
 * @throws Error when the script could not be loaded
 */
export const stripeFor = async (address: string, publishableKey: string): Promise<Stripe> => {
  if (loading?.address !== address) loading = { address, script: scriptAt(address) }
  try {
    const Stripe = await loading.script
    return Stripe(publishableKey, { locale: 'en' })
  } catch (failure) {
    loading = null
    throw failure
  }
}

const scriptAt = (address: string): Promise<StripeConstructor> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = (): void => {
      script.remove()
      reject(new Error('The script of the payment company could not be loaded.'))
    }
    script.addEventListener('error', fail)
    script.addEventListener('load', () => {
      const { Stripe } = globalThis as WithStripe
      if (Stripe === undefined) fail()
      else resolve(Stripe)
    })
    script.async = true
    script.src = address
    document.head.append(script)
  })
