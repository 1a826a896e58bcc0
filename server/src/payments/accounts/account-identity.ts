import type { PaymentProvider } from '../providers/provider.ts'

/** The settings that identify the account, as one text; a switch that is off says no more than one that is absent. */
const identifyingText = ({ account }: PaymentProvider, settings: object): string => {
  const values = new Map<PropertyKey, unknown>(Object.entries(settings))
  return account.identifyingSettings
    .flatMap((name) => {
      const value = values.get(name) ?? false
      return value === false ? [] : [value === true ? String(name) : String(value)]
    })
    .join(' ')
}

/** The account's identity by its settings; null where the provider must be asked for it. Holds no secret. */
export const settingsIdentity = (provider: PaymentProvider, settings: object): string | null =>
  provider.account.identify === undefined ? identifyingText(provider, settings) : null

/** Whether two settings name the same account, by the same name or the same key. */
export const nameSameAccount = (provider: PaymentProvider, one: object, other: object): boolean =>
  identifyingText(provider, one) === identifyingText(provider, other)

/**
 * Whether accounts of one name at two addresses are one account: at the same address, or at two of the provider's production hosts, which
 * stand before one system.
 */
export const isSameAddress = ({ account }: PaymentProvider, one: string, other: string): boolean => {
  const hosts = [new URL(one).host, new URL(other).host]
  return one === other || hosts.every((host) => account.liveHosts.test(host) && account.testHosts?.test(host) !== true)
}
