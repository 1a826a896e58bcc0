import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { type AccountUse, listAccounts, readAccountUse, type StoredAccount } from '../../payments/accounts/former-accounts.queries.ts'
import { deletedAt, KEPT_MS, removeFormerAccount } from '../../payments/reconciliation/former-accounts.ts'
import { transactAsReseller } from '../../payments/payments-deps.ts'
import { command, flag } from '../command.ts'
import { auditOperator } from '../operator-audit.ts'
import { printResult, requireReseller, toPaymentsDeps } from './command-support.ts'

const KEPT_DAYS = KEPT_MS / 86_400_000

/** A former account whose credentials are kept, and what rests on it. */
export interface FormerAccount extends AccountUse, Pick<StoredAccount, 'id' | 'provider' | 'identity' | 'baseUrl'> {
  readonly replacedAt: Date
  /** When its credentials are deleted; null while a payment there is not final. */
  readonly deletedAt: Date | null
}

/** The former accounts of a reseller whose credentials are kept, the latest first. Runs as counterfoil_reseller. */
export const listFormerAccounts = async (db: Db, resellerId: number): Promise<FormerAccount[]> => {
  const former: FormerAccount[] = []
  for (const { id, provider, identity, baseUrl, sealed, replacedAt } of await listAccounts(db, resellerId)) {
    if (replacedAt === null || sealed === null) continue
    const use = await readAccountUse(db, id)
    former.push({ id, provider, identity, baseUrl, replacedAt, ...use, deletedAt: deletedAt(replacedAt, use) })
  }
  return former
}

/** A former account under the field names of `--json`. Its credentials are not among them. */
export const toFormerOutput = ({ id, provider, identity, baseUrl, ...rest }: FormerAccount) => ({
  id,
  provider,
  identity,
  address: baseUrl,
  replacedAt: rest.replacedAt,
  livePayments: rest.livePayments,
  storedMethods: rest.storedMethods,
  customers: rest.customers,
  deletedAt: rest.deletedAt,
})

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`
/** What messages call an account: `account 7`, its provider and its identity in brackets; the identity is left out where none is known. */
const nameOf = ({ id, provider, identity }: Pick<StoredAccount, 'id' | 'provider' | 'identity'>): string =>
  `account ${id} (${[provider, ...(identity === null ? [] : [identity])].join(' ')})`

/** One line about a former account: what rests on it, and until when its credentials are kept. */
export const formatFormerAccount = (account: FormerAccount): string => {
  const kept = account.deletedAt === null ? 'until they are' : `until ${account.deletedAt.toISOString().slice(0, 10)}`
  return `  former       ${nameOf(account)}, replaced ${account.replacedAt.toISOString().slice(0, 10)}: ${count(account.livePayments, 'payment')} not final, ${count(account.storedMethods, 'stored method')}; its credentials are kept ${kept}`
}

/**
 * What follows when an account is not used any more, in sentences.
 * @param isDone false before the change, of which nothing is done yet
 */
export const describeConsequences = (
  account: Pick<StoredAccount, 'id' | 'provider' | 'identity'>,
  use: AccountUse,
  { isDone }: { readonly isDone: boolean },
): string[] => {
  const { livePayments, storedMethods, customers } = use
  const isOne = livePayments === 1
  return [
    `${isDone ? 'The reseller does not use' : 'Nothing was changed yet. After this change the reseller would not use'} ${nameOf(account)} any more.`,
    livePayments === 0
      ? 'Every payment there is final; refunds and returns of them still go there.'
      : `${count(livePayments, 'payment')} there ${isOne ? 'is' : 'are'} not final. ${isOne ? 'It is' : 'They are'} looked up there until ${isOne ? 'it is' : 'they are'}; refunds and returns go there too.`,
    ...(storedMethods === 0
      ? []
      : [
          `${count(storedMethods, 'stored method')} of ${count(customers, 'customer')} ${storedMethods === 1 ? 'belongs' : 'belong'} to it and cannot be charged elsewhere: customers must add theirs again, and until then autopay has none of theirs. They are back when that account is used again.`,
        ]),
    `Its credentials are kept, sealed, until every payment there is final and ${KEPT_DAYS} days old. Leave its keys valid until then.`,
  ]
}

export const resellerPaymentsForgetCommand = command({
  name: 'reseller payments forget',
  about: 'delete the credentials of a former account, earlier than by itself, once every payment there is final',
  arguments: { reseller: 'text', account: 'text' },
  options: { yes: flag('do it without being asked') },
  note: 'Refunds, returns and webhooks of its payments cannot be dealt with here afterwards. The number of the account stands in reseller payments set.',
  resolve: async (context, { reseller }) => void (await requireReseller(context, reseller)),
  confirm: ({ account }) =>
    `Delete the credentials of the former account ${account}? Its payments can then be refunded at the provider alone.`,
  run: async (context: AppContext, io, { reseller, account }) => {
    const resellerId = await requireReseller(context, reseller)
    if (!/^[1-9]\d{0,14}$/.test(account)) throw new OperatorError(`${account} is not the number of an account.`)
    const id = Number(account)
    const { provider } = await transactAsReseller(toPaymentsDeps(context), resellerId, async (db) => {
      const removed = await removeFormerAccount(db, resellerId, id)
      const detail = `credentials of the former account ${id} deleted`
      await auditOperator(db, context, 'payments.account-changed', { resellerId, subject: `reseller ${resellerId}`, detail })
      return removed
    })
    return printResult(io, { account: id, provider, hasCredentials: false }, () => [
      `The credentials of account ${id} (${provider}) are deleted.`,
    ])
  },
})
