/** The payment providers that the control calls know; each is served under `/<provider>/` once it exists. */
export const PROVIDERS = ['stripe', 'authorize', 'ippay', 'moneris', 'pinch', 'nexio', 'bpoint'] as const

export type ProviderName = (typeof PROVIDERS)[number]
