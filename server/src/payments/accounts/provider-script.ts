import type { PaymentProvider } from '../providers/provider.ts'

/**
 * The URL of the provider's script; null where there is none, or the reseller has no account yet.
 * @param baseUrl the address of the provider's API, from the reseller's account
 */
export const providerScriptUrl = (
  provider: Pick<PaymentProvider, 'account' | 'entry'> | undefined,
  baseUrl: string | null,
): string | null => {
  const script = provider?.entry.page?.script
  if (provider === undefined || script === undefined || baseUrl === null) return null
  return provider.account.liveHosts.test(new URL(baseUrl).host) ? script.liveUrl : baseUrl + script.standInPath
}
