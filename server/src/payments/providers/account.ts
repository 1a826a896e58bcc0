import type { TSchema } from 'typebox'
import type { HttpClient } from '../../kit/outgoing-http.ts'

/** The accounts of a provider: their settings, the hosts that serve them, and how one is told from another. */
export interface ProviderAccount<Settings> {
  /** A TypeBox schema whose static type is Settings. */
  readonly settings: TSchema
  /**
   * The settings that name the account among all of this provider; the key alone where no setting does, and then `identify` asks. A change
   * of any other setting, such as a secret that is replaced, leaves the account the same.
   */
  readonly identifyingSettings: readonly (keyof Settings)[]
  /** The provider's production hosts, where real money moves. */
  readonly liveHosts: RegExp
  /** Those of `liveHosts` at which no real money moves. Accounts at test hosts are others, whatever their names. */
  readonly testHosts?: RegExp
  /**
   * Asks for what tells the account from every other: nothing secret. Present for a provider whose settings are a key alone.
   * @throws Error when the provider rejects the credentials or does not answer
   */
  identify?(context: ProviderContext<Settings>): Promise<string>
  /**
   * Finds the account behind the credentials, moving nothing.
   * @throws Error when the provider rejects the credentials or does not answer
   */
  check?(context: ProviderContext<Settings>): Promise<AccountCheck>
}

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
