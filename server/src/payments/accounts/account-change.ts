import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { queryAsReseller, requireProvider, type PaymentsDeps } from '../payments-deps.ts'
import { isSameAddress, nameSameAccount, settingsIdentity } from './account-identity.ts'
import { createProviderContext, openSettings, type SealedAccount } from './accounts.ts'
import {
  insertAccount,
  listAccounts,
  replaceAccount,
  setAccountIdentity,
  type StoredAccount,
  updateAccount,
} from './former-accounts.queries.ts'

/** What an operator says of credentials: whether they are of the account in use, where neither their names nor the provider tell. */
export type AccountStatement = 'same' | 'another'

/** How an account takes the place of the one that a reseller uses at the same provider. */
export interface AccountChange {
  readonly account: SealedAccount
  /** `same`: other credentials of the account in use; `former`: an earlier account comes back; `another`: one that was never used here. */
  readonly kind: 'first' | 'same' | 'former' | 'another'
  /** The known account that it is; null for a new one. */
  readonly accountId: number | null
  /** The account in use when this was planned. */
  readonly inUseId: number | null
}

/**
 * Finds out whether new credentials are of an account known here: by their settings, else the provider is asked; nobody guesses, since
 * payments would be taken for never made at another account. Stores nothing but identities of known accounts.
 * @throws OperatorError when it cannot be found out and the operator does not say it, or says what is certainly not so
 */
export const planAccountChange = async (
  deps: PaymentsDeps,
  account: SealedAccount,
  statement: AccountStatement | null,
): Promise<AccountChange> => {
  const { resellerId, provider: name, baseUrl } = account
  const provider = requireProvider(deps, name)
  const isAsked = provider.account.identify !== undefined
  const accounts = await queryAsReseller(deps, resellerId, (db) => listAccounts(db, resellerId, name))
  const inUseId = accounts.find(({ replacedAt }) => replacedAt === null)?.id ?? null
  const toChange = (known: StoredAccount | null, identity: string | null, kind: AccountChange['kind'] = 'another'): AccountChange => ({
    account: { ...account, identity },
    kind: known === null ? kind : known.id === inUseId ? 'same' : 'former',
    accountId: known?.id ?? null,
    inUseId,
  })
  const settings = openSettings(deps, account)
  const there = accounts.filter((known) => isSameAddress(provider, known.baseUrl, baseUrl))
  const sameNames = there.find((known) => {
    const kept = openSettings(deps, { resellerId, ...known })
    return kept !== null && settings !== null && nameSameAccount(provider, kept, settings)
  })
  if (sameNames !== undefined) {
    assertStatementMatches('same', statement, 'their settings name it')
    return toChange(sameNames, sameNames.identity ?? (await identifyAccount(deps, account)).identity)
  }
  const { identity, reason } = await identifyAccount(deps, account)
  if (accounts.length === 0) return toChange(null, identity, 'first')
  // Who says that it is the same at another address means one that is known elsewhere.
  const compared = (there.length === 0 && statement === 'same' ? accounts : there).filter(
    (known) => known.sealed !== null || known.identity !== null,
  )
  const evidence = isAsked ? `${name} names it` : 'their settings name it'
  const unidentified: StoredAccount[] = []
  for (const known of compared) {
    const knownIdentity = known.identity ?? (await identifyStoredAccount(deps, resellerId, known))
    if (knownIdentity !== null && knownIdentity === identity) {
      assertStatementMatches('same', statement, evidence)
      return toChange(known, identity)
    }
    if (knownIdentity === null) unidentified.push(known)
  }
  // Only the operator knows that a name was replaced: settings say nothing of it, and the provider is not asked.
  if (statement === 'same' && !isAsked) return toChange(unidentified[0] ?? accounts[0] ?? null, identity)
  if (compared.length === 0) return toChange(null, identity)
  if (identity !== null && unidentified.length === 0) {
    assertStatementMatches('another', statement, evidence)
    return toChange(null, identity)
  }
  if (statement === 'another') return toChange(null, identity)
  if (statement === 'same') return toChange((unidentified.length > 0 ? unidentified : compared)[0] ?? null, identity)
  const why = reason ?? (isAsked ? `${name} does not say whose the former ones were.` : 'The former ones cannot be opened.')
  throw new OperatorError(
    `Nobody knows whether these credentials are of the account in use: ${why} Nothing was changed. ${isAsked ? `Try again when ${name} answers, or say` : 'Say'} it: --account-is same for another key of the same account, --account-is another for another account.`,
  )
}

/**
 * Compares what was found with what the operator states by --account-is; nothing when the operator states nothing.
 * @param evidence what shows it, as a part of a sentence
 * @throws OperatorError when the operator states otherwise
 */
const assertStatementMatches = (found: AccountStatement, statement: AccountStatement | null, evidence: string): void => {
  if (statement === null || statement === found) return
  const whose = found === 'same' ? 'an account that is known here' : 'another account'
  throw new OperatorError(`These credentials are of ${whose}, as ${evidence}. Nothing was changed: leave --account-is out.`)
}

/**
 * Stores an account as planned, in the caller's transaction. The one that it replaces is kept for the payments that were made there.
 * @throws OperatorError when another account has come into use since
 */
export const applyAccountChange = async (db: Db, { account, accountId, inUseId }: AccountChange, now: Date): Promise<void> => {
  const accounts = await listAccounts(db, account.resellerId, account.provider)
  if ((accounts.find(({ replacedAt }) => replacedAt === null)?.id ?? null) !== inUseId)
    throw new OperatorError('The account was changed meanwhile by another command. Nothing was changed: look at it and try again.')
  if (inUseId !== null && inUseId !== accountId) await replaceAccount(db, inUseId, now)
  if (accountId === null) await insertAccount(db, account, now)
  else await updateAccount(db, accountId, account, now)
}

interface Identified {
  readonly identity: string | null
  /** Why the provider did not tell the identity, as a sentence. */
  readonly reason: string | null
}

/**
 * The account's identity, which tells it from others: what the provider answers where it has `identify`, else what the settings name. Null
 * when the settings cannot be opened, and, with the reason, when the provider fails.
 */
const identifyAccount = async (
  deps: PaymentsDeps,
  account: { resellerId: number; provider: string; baseUrl: string; sealed: Buffer | null },
): Promise<Identified> => {
  const [provider, settings] = [requireProvider(deps, account.provider), openSettings(deps, account)]
  if (settings === null || account.sealed === null) return { identity: null, reason: null }
  if (provider.account.identify === undefined) return { identity: settingsIdentity(provider, settings), reason: null }
  const context = createProviderContext(deps, provider, { ...account, accountId: 0, sealed: account.sealed, settings })
  try {
    return { identity: await provider.account.identify(context), reason: null }
  } catch (error) {
    return { identity: null, reason: error instanceof Error ? error.message : `${provider.name} did not answer.` }
  }
}

/** Finds out the identity of a stored account and commits it with the account; null when it cannot be found out. */
const identifyStoredAccount = async (deps: PaymentsDeps, resellerId: number, known: StoredAccount): Promise<string | null> => {
  const { identity } = await identifyAccount(deps, { resellerId, ...known })
  if (identity !== null) await queryAsReseller(deps, resellerId, (db) => setAccountIdentity(db, known.id, identity))
  return identity
}
