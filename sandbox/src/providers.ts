/** The payment companies that have, or will have, a stand-in under `/<provider>/`. */
export const PROVIDERS = ['stripe', 'authorize', 'ippay', 'moneris', 'pinch', 'nexio', 'bpoint'] as const

export type ProviderName = (typeof PROVIDERS)[number]
