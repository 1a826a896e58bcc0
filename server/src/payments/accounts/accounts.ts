import type { ProviderName } from '@counterfoil/contract/kit/payments/payment-type'
import { matchesSchema } from '../../kit/schema.ts'
import { CARD_LIKE } from '../../kit/card-number.ts'
import { createHttpClient } from '../../kit/outgoing-http.ts'
import { OperatorError, ApiError } from '../../kit/api-error.ts'
import { linkAddress } from '../../mail/link-address.ts'
import { cacheOfAccount } from './provider-cache.ts'
import { type AccountRow, readAccountRow, readCustomerProfile } from './accounts.queries.ts'
import { settingsProblems } from './settings-problems.ts'
import { settingsIdentity } from './account-identity.ts'
import { listAccounts, insertAccount, updateAccount } from './former-accounts.queries.ts'
import { queryAsReseller, findProviderFor, requireProvider, type PaymentsDeps } from '../payments-deps.ts'
import type { CustomerScope } from '../../session/scope.ts'
import type { ProviderContext } from '../providers/account.ts'
import type { DebitKind } from '../providers/debits.ts'
import type { PaymentProvider } from '../providers/provider.ts'

/** A reseller's account at a payment provider, ready for calls. */
export interface Account {
  readonly id: number
  readonly resellerId: number
  readonly provider: PaymentProvider
  readonly context: ProviderContext<never>
  readonly legalName: string
  /** The kind of debit that customers may store; null for cards alone. */
  readonly debitKind: DebitKind | null
  readonly publishableKey: string | null
  readonly isEnabled: boolean
  readonly allowsBulk: boolean
  /** Whether the provider accepts card numbers, as typed or encrypted, and the reseller allows them. */
  readonly acceptsRawCards: boolean
}

const NOT_CONFIGURED_TEXT = 'Payment gateway is not configured properly, please try again later. If the problem persists, contact support'

/** The text to which sealed credentials are bound: they open for this reseller and provider alone. */
const accountKeyContext = (resellerId: number, provider: string): string => `payment account ${resellerId} ${provider}`

/**
 * Whether an account would move real money from the embedded database, which power loss can damage, without being allowed to
 * (docs/decisions/0009).
 */
const isLiveOnEmbedded = (deps: Pick<PaymentsDeps, 'store' | 'config'>, provider: PaymentProvider, baseUrl: string): boolean =>
  deps.store.kind === 'embedded' && !deps.config.allowEmbeddedPayments && provider.account.liveHosts.test(new URL(baseUrl).host)

/**
 * The account that a reseller uses, also while its payments are off; null for payment type 0, and where no usable credentials are stored.
 * @throws NoResultError without such a reseller
 */
export const findAccount = async (deps: PaymentsDeps, resellerId: number): Promise<Account | null> => {
  const row = await queryAsReseller(deps, resellerId, (db) => readAccountRow(db, resellerId))
  return toAccount(deps, resellerId, row)
}

/** The account at which a payment was made, whichever the reseller uses now; null once its credentials are deleted, or cannot be used. */
export const findAccountOf = async (
  deps: PaymentsDeps,
  { resellerId, accountId }: { readonly resellerId: number; readonly accountId: number },
): Promise<Account | null> => {
  const row = await queryAsReseller(deps, resellerId, (db) => readAccountRow(db, resellerId, accountId))
  return toAccount(deps, resellerId, row)
}

/**
 * Lists the accounts of a reseller whose credentials are stored and usable: those in use first, then the former ones.
 * @param provider lists the accounts at this provider alone; null lists those at all providers
 */
export const listAccountsWithCredentials = async (
  deps: PaymentsDeps,
  resellerId: number,
  provider: string | null = null,
): Promise<Account[]> => {
  const rows = await queryAsReseller(deps, resellerId, (db) => listAccounts(db, resellerId, provider))
  const accounts = await Promise.all(
    rows.flatMap(({ id, sealed }) => (sealed === null ? [] : [findAccountOf(deps, { resellerId, accountId: id })])),
  )
  return accounts.filter((account) => account !== null)
}

/**
 * An account ready for calls; null, and where an operator can help logged, when its credentials are missing, cannot be opened or are not
 * usable.
 */
const toAccount = (deps: PaymentsDeps, resellerId: number, row: AccountRow): Account | null => {
  const provider = findProviderFor(deps, row.accountProvider ?? '')
  if (provider === undefined || row.accountId === null || row.sealed === null || row.baseUrl === null) return null
  if (isLiveOnEmbedded(deps, provider, row.baseUrl)) {
    deps.log.error(
      { resellerId, provider: provider.name },
      'live payments are refused on the embedded database; see ALLOW_EMBEDDED_PAYMENTS',
    )
    return null
  }
  const settings = openSettings(deps, { resellerId, provider: provider.name, sealed: row.sealed })
  if (settings === null) deps.log.error({ resellerId, accountId: row.accountId }, 'this master key does not open the account')
  if (settings === null || !matchesSchema(provider.account.settings, settings)) return null
  const { accountId, baseUrl, sealed } = row
  return {
    id: accountId,
    resellerId,
    provider,
    context: createProviderContext(deps, provider, { resellerId, accountId, baseUrl, sealed, settings }),
    legalName: row.legalName,
    debitKind: provider.debits?.kinds[row.debitId ?? 0] ?? null,
    publishableKey: row.publishableKey,
    isEnabled: row.isEnabled,
    allowsBulk: row.isEnabled && row.isBulk,
    acceptsRawCards: row.mayTakeRawCards && acceptsCardNumbers(provider),
  }
}

/**
 * What calls for one account get: its opened settings, an HTTP client that logs redacted transcripts, and the account's memory. Sends
 * nothing.
 */
export const createProviderContext = (
  deps: PaymentsDeps,
  provider: PaymentProvider,
  account: { resellerId: number; accountId: number; baseUrl: string; sealed: Buffer; settings: object },
): ProviderContext<never> => {
  const { resellerId, accountId, baseUrl, sealed, settings } = account
  const logTranscript = (transcript: string): void =>
    deps.log.debug({ resellerId, provider: provider.name, transcript }, 'a call to a payment provider')
  return {
    settings: settings as never,
    baseUrl,
    http: createHttpClient({
      timeoutMs: deps.config.paymentTimeoutMs,
      scrub: (text) => provider.redact(text).replace(CARD_LIKE, '[number]'),
      record: logTranscript,
    }),
    now: deps.clock(),
    ...webhookUrlOf(deps, resellerId, provider),
    cache: cacheOfAccount(accountId, sealed, deps.clock),
  }
}

/** The address for webhooks that a provider registers with each payment; nothing where PUBLIC_URL is not a public name by https. */
const webhookUrlOf = ({ config }: Pick<PaymentsDeps, 'config'>, resellerId: number, { name }: PaymentProvider): { webhookUrl?: string } => {
  const { protocol, hostname, port } = new URL(config.publicUrl)
  const isPublic = protocol === 'https:' && port === '' && hostname.includes('.') && !/^[\d.]+$/.test(hostname)
  return isPublic ? { webhookUrl: `${config.publicUrl}/hooks/${name}/${resellerId}` } : {}
}

/**
 * Whether a provider accepts cards whose numbers are typed on our pages, in the clear or encrypted: an encrypted one still comes with its
 * security code in the clear. False without a provider.
 */
export const acceptsCardNumbers = (provider: PaymentProvider | undefined): boolean =>
  provider !== undefined && (provider.entry.accepts.includes('card') || provider.entry.accepts.includes('sealed'))

/**
 * The provider that a reseller uses, null for payment type 0; its account there, even if it cannot be used; and whether payments are on.
 * @throws NoResultError without such a reseller
 */
export const readPaymentMode = async (
  deps: PaymentsDeps,
  resellerId: number,
): Promise<{ provider: ProviderName | null; accountId: number | null; isEnabled: boolean }> => {
  const { provider, accountId, isEnabled } = await queryAsReseller(deps, resellerId, (db) => readAccountRow(db, resellerId))
  return { provider: provider as ProviderName | null, accountId, isEnabled }
}

/**
 * The account of a reseller, ready for calls, where its payments are on.
 * @throws ApiError 403 where payments are off; 503 when the gateway is not configured
 */
export const requireAccount = async (deps: PaymentsDeps, resellerId: number): Promise<Account> => {
  const row = await queryAsReseller(deps, resellerId, (db) => readAccountRow(db, resellerId))
  if (!row.isEnabled || row.provider === null) throw new ApiError('payments_unavailable', 'Payments are not available.')
  const account = toAccount(deps, resellerId, row)
  if (account === null) throw new ApiError('provider_not_configured', NOT_CONFIGURED_TEXT, { userMessage: NOT_CONFIGURED_TEXT })
  return account
}

type AccountDeps = Pick<PaymentsDeps, 'store' | 'keys' | 'clock' | 'config' | 'providers'>

/** A reseller's account at a provider, as an operator enters it. */
export interface AccountInput {
  readonly resellerId: number
  readonly provider: string
  readonly baseUrl: string
  readonly settings: object
}

/**
 * Validates a reseller's account at a provider, and seals the credentials. Stores nothing.
 * @returns the account as it is stored
 * @throws OperatorError when the provider is unknown, when the settings or the address are not usable, or when the address is the
 *   provider's live one and the database is embedded, unless ALLOW_EMBEDDED_PAYMENTS is set
 */
export const sealAccount = (deps: AccountDeps, { resellerId, provider: name, baseUrl, settings }: AccountInput) => {
  const provider = requireProvider(deps, name)
  const problems = settingsProblems(provider.account.settings, settings)
  if (problems.length > 0) throw new OperatorError(`The settings of ${name} are not usable: ${problems.join('; ')}.`)
  if (!/^https?:\/\/[^/?#]+[^?#]*$/.test(baseUrl) || !URL.canParse(baseUrl))
    throw new OperatorError(`The address ${baseUrl} is not usable: write it as in https://api.example.com, without a query.`)
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol !== 'https:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
    throw new OperatorError(`The address ${baseUrl} is not usable: credentials travel only over https, unless the server is this machine.`)
  if (isLiveOnEmbedded(deps, provider, baseUrl))
    throw new OperatorError(
      'Live payments need a PostgreSQL server (DATABASE_URL). To make them with the embedded database all the same, set ALLOW_EMBEDDED_PAYMENTS=1.',
    )
  const sealed = deps.keys.seal(accountKeyContext(resellerId, name), JSON.stringify(settings))
  return { resellerId, provider: name, baseUrl: baseUrl.replace(/\/$/, ''), identity: settingsIdentity(provider, settings), sealed }
}

export type SealedAccount = ReturnType<typeof sealAccount>

/**
 * Commits a reseller's account: the first one, or new settings of the account in use. A change that may be to another account goes through
 * `planAccountChange`.
 * @throws OperatorError as `sealAccount`
 */
export const saveAccount = async (deps: AccountDeps, input: AccountInput): Promise<void> => {
  const account = sealAccount(deps, input)
  await deps.store.transact({ role: 'counterfoil_reseller', resellerId: input.resellerId }, async (db) => {
    const inUse = (await listAccounts(db, input.resellerId, input.provider)).find(({ replacedAt }) => replacedAt === null)
    if (inUse === undefined) await insertAccount(db, account, deps.clock())
    else await updateAccount(db, inUse.id, account, deps.clock())
  })
}

/**
 * The unsealed settings of a reseller's account, which hold secrets; null where they are deleted, or sealed with a master key that is lost.
 */
export const openSettings = (
  deps: Pick<PaymentsDeps, 'keys'>,
  { resellerId, provider, sealed }: { readonly resellerId: number; readonly provider: string; readonly sealed: Buffer | null },
): object | null => {
  if (sealed === null) return null
  try {
    return JSON.parse(deps.keys.open(accountKeyContext(resellerId, provider), sealed)) as object
  } catch {
    return null
  }
}

/**
 * A whole URL of the portal: on the customer's brand domain, else on PUBLIC_URL.
 * @throws NoResultError when the customer does not exist
 */
export const portalUrl = async (deps: PaymentsDeps, payer: CustomerScope, path: string): Promise<string> => {
  const { domain } = await queryAsReseller(deps, payer.resellerId, (db) => readCustomerProfile(db, payer))
  return linkAddress(domain, deps.config.publicUrl, path)
}
