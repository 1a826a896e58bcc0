import { PAYMENT_TYPES } from '@counterfoil/contract/kit/payments/payment-type'
import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { type AccountChange, type AccountStatement, planAccountChange } from '../../payments/accounts/account-change.ts'
import { nameSameAccount } from '../../payments/accounts/account-identity.ts'
import { findStoredAccount } from '../../payments/accounts/account-settings.queries.ts'
import { openSettings, sealAccount } from '../../payments/accounts/accounts.ts'
import { requireProvider, transactAsReseller } from '../../payments/payments-deps.ts'
import { findProvider } from '../../payments/providers/registry.ts'
import type { CommandIo } from '../command.ts'
import { readTextFile } from '../sso/sso-options.ts'
import { toPaymentsDeps } from './command-support.ts'

/** The name of the provider with this number; null for an unknown number and for that of none. */
export const toProviderName = (type: number): string | null => {
  const name = Object.entries(PAYMENT_TYPES).find(([, number]) => number === type)?.[0]
  return name === undefined || name === 'none' ? null : name
}

/** Reads a file with one JSON object; null without a file. @throws OperatorError for other content, which the message never repeats */
export const readCredentials = async (io: CommandIo, file: string | undefined): Promise<Readonly<Record<string, unknown>> | null> => {
  if (file === undefined) return null
  const text = await readTextFile(io, file)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // the content may be a secret, and the parser's message repeats some of it
  }
  throw new OperatorError('The credentials are one JSON object, as in { "secretKey": "…" }.')
}

/**
 * The account that a reseller uses at a provider, with its settings in clear, credentials included; null when it uses none.
 * The settings are empty when the master key is lost.
 */
export const findAccountInUse = async (context: AppContext, resellerId: number, provider: string) => {
  const row = await transactAsReseller(toPaymentsDeps(context), resellerId, (db) => findStoredAccount(db, resellerId, provider))
  return row === undefined
    ? null
    : { id: row.id, baseUrl: row.baseUrl, settings: openSettings(context, { resellerId, provider, sealed: row.sealed }) ?? {} }
}

/** The webhook secrets in an account's opened settings, the newest first; an empty list where there are none. */
export const webhookSecretsOf = (settings: object): string[] => ('webhookSecrets' in settings ? (settings.webhookSecrets as string[]) : [])

/** What --account-is says: `same` or `another`; null when it is not given. @throws OperatorError for another word */
export const parseStatement = (text: string | undefined): AccountStatement | null => {
  const said = text?.trim()
  if (said === undefined || said === 'same' || said === 'another') return said ?? null
  throw new OperatorError(`--account-is is same or another, not ${said}.`)
}

/**
 * The change of account that is asked for; stores nothing. What is not named stays, and null forgets it; of another account nothing stays.
 * @throws OperatorError when the settings are not usable, or nobody knows whose account they are of
 */
export const planAccount = async (
  context: AppContext,
  {
    resellerId,
    provider: name,
    credentials,
    address,
    statement,
  }: { resellerId: number; provider: string; credentials: object; address: string | undefined; statement: AccountStatement | null },
): Promise<AccountChange> => {
  const current = await findAccountInUse(context, resellerId, name)
  const baseUrl = address ?? current?.baseUrl
  if (baseUrl === undefined) throw new OperatorError('Give the address of the provider’s API: --address https://…')
  const hasWebhooks = 'webhookSecrets' in ((findProvider(name)?.account.settings as { properties?: object } | undefined)?.properties ?? {})
  const seal = (kept: object) => {
    const changed = Object.entries({ ...(hasWebhooks ? { webhookSecrets: [] } : {}), ...kept, ...credentials })
    return sealAccount(context, {
      resellerId,
      provider: name,
      baseUrl,
      settings: Object.fromEntries(changed.filter(([, value]) => value !== null)),
    })
  }
  const kept = current?.settings ?? {}
  const plan = await planAccountChange(toPaymentsDeps(context), seal(kept), statement)
  const namesAnother =
    current !== null && !nameSameAccount(requireProvider(toPaymentsDeps(context), name), kept, { ...kept, ...credentials })
  if (plan.kind === 'same' || !namesAnother) return plan
  return { ...plan, account: { ...sealAlone(seal), identity: plan.account.identity } }
}

/** Seals the new credentials without any earlier setting. @throws OperatorError that asks for all of them when some are missing */
const sealAlone = <T>(seal: (kept: object) => T): T => {
  try {
    return seal({})
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    throw new OperatorError(`${error.message} They name another account, of which nothing is known yet: write all of them.`, {
      cause: error,
    })
  }
}
