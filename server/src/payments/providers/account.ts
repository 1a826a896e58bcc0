import type { HttpClient } from '../../kit/outgoing-http.ts'

/** The account behind the given credentials. */
export interface AccountCheck {
  readonly account: string
  /** May it take payments at all? */
  readonly canCharge: boolean
  readonly country: string | null
}

/** What every provider call gets: the reseller's settings, an HTTP client and the current time. */
export interface ProviderContext<Settings> {
  readonly settings: Settings
  readonly baseUrl: string
  readonly http: HttpClient
  readonly now: Date
  /** Where the provider may send webhooks about a payment; absent where this server has no public address by https. */
  readonly webhookUrl?: string
  /** Remembers what one account may use several times, such as a bearer token. */
  readonly cache: ProviderCache
}

/** What calls for one account remember in the memory of this process; forgotten when its settings change. */
export interface ProviderCache {
  /** The remembered text, or a new one that is remembered for `ttlMs`; a failure is not remembered. */
  remember(key: string, ttlMs: number, load: () => Promise<string>): Promise<string>
  forget(key: string): void
}
