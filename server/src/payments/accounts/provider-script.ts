import type { ProviderName } from '@counterfoil/contract/kit/payments/payment-type'

/** Where a provider's script is for people, and where beside the address of a stand-in. */
const SCRIPTS: Readonly<Partial<Record<ProviderName, { live: string; hosts: RegExp; path: string }>>> = {
  stripe: { live: 'https://js.stripe.com/dahlia/stripe.js', hosts: /^https:\/\/api\.stripe\.com$/, path: '/dahlia/stripe.js' },
}

/**
 * Where the browser loads the provider's script from; null where there is none, or where the reseller has no account yet.
 * @param baseUrl the address of the provider's API, as the reseller's account has it
 */
export const providerScriptUrl = (provider: string | null, baseUrl: string | null): string | null => {
  const script = SCRIPTS[provider as ProviderName]
  if (script === undefined || baseUrl === null) return null
  return script.hosts.test(baseUrl) ? script.live : baseUrl + script.path
}
