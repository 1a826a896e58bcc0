import type { ProviderName } from '@counterfoil/contract/kit/payments/payment-type'

/** The URL of each provider's script, and its path at a stand-in. */
const SCRIPTS: Readonly<Partial<Record<ProviderName, { live: string; hosts: RegExp; path: string }>>> = {
  stripe: { live: 'https://js.stripe.com/dahlia/stripe.js', hosts: /^https:\/\/api\.stripe\.com$/, path: '/dahlia/stripe.js' },
}

/**
 * The URL of the provider's script; null where there is none, or the reseller has no account yet.
 * @param baseUrl the address of the provider's API, from the reseller's account
 */
export const providerScriptUrl = (provider: string | null, baseUrl: string | null): string | null => {
  const script = SCRIPTS[provider as ProviderName]
  if (script === undefined || baseUrl === null) return null
  return script.hosts.test(baseUrl) ? script.live : baseUrl + script.path
}
