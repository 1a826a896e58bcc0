import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import {
  updatePaymentSettings,
  readPaymentSettings,
  replaceFeeRule,
  type PaymentSettingsUpdate,
  findStoredAccount,
} from '../../payments/accounts/account-settings.queries.ts'
import { applyAccountChange } from '../../payments/accounts/account-change.ts'
import { findAccount, sealAccount, acceptsCardNumbers } from '../../payments/accounts/accounts.ts'
import {
  type AccountUse,
  listAccounts,
  readAccountUse,
  replaceAccount,
  reuseLatestAccount,
  type StoredAccount,
  updateAccount,
} from '../../payments/accounts/former-accounts.queries.ts'
import { listFeeRules } from '../../payments/engine/claim.queries.ts'
import type { FeeRule } from '../../payments/accounts/fees.rules.ts'
import { findDebitBankingDays } from '../../payments/payment-summary.ts'
import { transactAsReseller, findProviderFor } from '../../payments/payments-deps.ts'
import type { PaymentProvider } from '../../payments/providers/provider.ts'
import { findProvider } from '../../payments/providers/registry.ts'
import { command, type CommandIo, CONFIRMATION_NEEDED, flag, inputOption } from '../command.ts'
import { findAccountInUse, parseStatement, planAccount, readCredentials, toProviderName, webhookSecretsOf } from './account-input.ts'
import { describeConsequences, formatFormerAccount, listFormerAccounts, toFormerOutput } from './former-accounts.ts'
import { parseFeeRule } from './parse-fee-rule.ts'
import { parseSettingsUpdate, SETTINGS } from './settings-options.ts'
import { auditOperator } from '../operator-audit.ts'
import { toDecimal, toPaymentsDeps, requireReseller, printResult } from './command-support.ts'
import { readTextFile } from '../sso/sso-options.ts'

export const resellerPaymentsSetCommand = command({
  name: 'reseller payments set',
  about: 'change how a reseller takes payments; without a change, show it',
  arguments: { reseller: 'text' },
  options: SETTINGS,
  note: 'Credentials are never an argument of the command line, where others can see them, and are never shown.',
  run: async (context, io, { reseller }, options) => {
    const resellerId = await requireReseller(context, reseller)
    const requested = parseSettingsUpdate(options)
    const fees = (options.fee ?? [])
      .flatMap((rules) => rules.split(/\s+/))
      .filter((text) => text !== '')
      .map(parseFeeRule)
    const credentials = await readCredentials(io, options.credentials)
    const address = options.address?.trim()
    const before = await transactAsReseller(toPaymentsDeps(context), resellerId, (db) => readSettings(db, resellerId))
    const provider = toProviderName(requested.payment_type ?? before.type)
    const update = withRawCardSwitch(context, requested, before, provider)
    assertFeesCharged(fees, findProvider(provider ?? ''))
    if (provider === null && (credentials !== null || address !== undefined)) throw new OperatorError('Name the payment provider: --type.')
    const change =
      provider === null || (credentials === null && address === undefined)
        ? null
        : await planAccount(context, {
            resellerId,
            provider,
            credentials: credentials ?? {},
            address,
            statement: parseStatement(options.accountIs),
          })
    const isProviderChanged = provider !== before.provider
    const left =
      isProviderChanged || (change !== null && change.kind !== 'same') ? await findLeftAccount(context, resellerId, before.provider) : null
    if (left !== null && left.use.livePayments + left.use.storedMethods > 0 && options.yes !== true) {
      for (const sentence of describeConsequences(left.account, left.use, { isDone: false })) io.err(sentence)
      const isByName = findProvider(provider ?? '')?.account.identify === undefined
      if (change?.kind === 'another' && isByName && options.accountIs === undefined && !isProviderChanged) io.err(SAME_HINT)
      return CONFIRMATION_NEEDED
    }
    const hasChange = Object.keys(update).length + fees.length > 0 || change !== null
    if (hasChange)
      await transactAsReseller(toPaymentsDeps(context), resellerId, async (db) => {
        const now = context.clock()
        await updatePaymentSettings(db, resellerId, update)
        for (const fee of fees) await replaceFeeRule(db, resellerId, fee)
        if (isProviderChanged && left !== null) await replaceAccount(db, left.account.id, now)
        if (change !== null) await applyAccountChange(db, change, now)
        else if (isProviderChanged && provider !== null) await reuseLatestAccount(db, resellerId, provider)
        const changed = [...Object.keys(update), ...(fees.length > 0 ? ['fees'] : []), ...(change === null ? [] : ['account'])]
        await auditSettings(context, db, resellerId, changed.join(', '), before)
      })
    return showSettings(context, io, resellerId, left)
  },
})

const SAME_HINT = 'If it is the same account, under a new name or at a new address, say so instead: --account-is same.'

/** @throws OperatorError when the provider would never charge one of the fees; a fee of 0, which deletes a rule, may be any */
const assertFeesCharged = (fees: readonly FeeRule[], provider: PaymentProvider | undefined): void => {
  const isCharged = ({ line, percent, fixedMinor }: FeeRule): boolean =>
    (Number(percent) === 0 && fixedMinor === 0) || provider?.amounts?.feeLines?.includes(line) === true
  if (!fees.every(isCharged))
    throw new OperatorError('Payments of this type have no fees: only type 1 adds them. The fee would never be charged.')
}

/** An account that is not used any more, and what rests on it. */
interface LeftAccount {
  readonly account: StoredAccount
  readonly use: AccountUse
}

/** The account in use at the provider that a reseller may leave, with what rests on it; null when there is none. Changes nothing. */
const findLeftAccount = (context: AppContext, resellerId: number, provider: string | null): Promise<LeftAccount | null> =>
  transactAsReseller(toPaymentsDeps(context), resellerId, async (db) => {
    const accounts = provider === null ? [] : await listAccounts(db, resellerId, provider)
    const account = accounts.find(({ replacedAt }) => replacedAt === null)
    return account === undefined ? null : { account, use: await readAccountUse(db, account.id) }
  })

const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region' })

/** Exit code 1 when the provider cannot be asked, or the account takes no payments. */
export const resellerPaymentsTestCommand = command({
  name: 'reseller payments test',
  about: 'ask the provider whose account it is; moves no money',
  arguments: { reseller: 'text' },
  run: async (context, io, { reseller }) => {
    const resellerId = await requireReseller(context, reseller)
    const account = await findAccount(toPaymentsDeps(context), resellerId)
    if (account === null) throw new OperatorError('The reseller has no account that can be used: see reseller payments set.')
    if (account.provider.account.check === undefined)
      throw new OperatorError(`${account.provider.name} has no call that tells whose account it is.`)
    const check = await account.provider.account.check(account.context).catch((error: unknown) => {
      throw new OperatorError(error instanceof Error ? error.message : 'The provider did not answer.', { cause: error })
    })
    await transactAsReseller(toPaymentsDeps(context), resellerId, (db) =>
      auditOperator(db, context, 'payments.account-tested', { resellerId, subject: `reseller ${resellerId}`, detail: check.account }),
    )
    printResult(io, { provider: account.provider.name, ...check }, () => [
      `${account.provider.name} knows the account ${check.account}${check.country === null ? '' : ` (${COUNTRY_NAMES.of(check.country)})`}.`,
      check.canCharge ? 'It may take payments.' : 'It may not take payments yet: the provider needs more information about its holder.',
    ])
    return check.canCharge ? 0 : 1
  },
})

export const resellerPaymentsRotateCommand = command({
  name: 'reseller payments rotate-secret',
  about: 'accept a new webhook secret beside the old one, or end the old one',
  arguments: { reseller: 'text' },
  options: {
    webhookSecretFile: inputOption('file', 'the file with the new secret; - is standard input'),
    dropOld: flag('accept webhooks with the newest secret alone'),
  },
  run: async (context, io, { reseller }, options) => {
    const resellerId = await requireReseller(context, reseller)
    const file = options.webhookSecretFile
    const isDroppingOld = options.dropOld === true
    if ((file === undefined) === !isDroppingOld)
      throw new OperatorError('Say either --webhook-secret-file FILE, or --drop-old once no webhook is signed with the old one.')
    const before = await transactAsReseller(toPaymentsDeps(context), resellerId, (db) => readSettings(db, resellerId))
    const provider = toProviderName(before.type)
    if (provider === null) throw new OperatorError('The reseller takes no payments.')
    const current = await findAccountInUse(context, resellerId, provider)
    if (current === null) throw new OperatorError('The reseller has no account yet: see reseller payments set.')
    const secrets = webhookSecretsOf(current.settings)
    const rotated = file === undefined ? secrets.slice(0, 1) : [...new Set([await readSecret(io, file), ...secrets])].slice(0, 2)
    const account = sealAccount(context, {
      resellerId,
      provider,
      baseUrl: current.baseUrl,
      settings: { ...current.settings, webhookSecrets: rotated },
    })
    await transactAsReseller(toPaymentsDeps(context), resellerId, async (db) => {
      await updateAccount(db, current.id, account, context.clock())
      await auditSettings(context, db, resellerId, isDroppingOld ? 'old webhook secret dropped' : 'webhook secret added', before)
    })
    return printResult(io, { provider, webhookSecrets: rotated.length }, () => [
      rotated.length === 2
        ? 'Webhooks are accepted with either secret now. When the provider signs with the new one, run this with --drop-old.'
        : 'Only the newest secret is accepted now.',
    ])
  },
})

/**
 * The update with raw cards turned off where the provider changes.
 * @throws OperatorError when they are to be turned on for a provider that accepts no card numbers
 */
const withRawCardSwitch = (
  context: AppContext,
  update: PaymentSettingsUpdate,
  before: { readonly type: number; readonly rawCard: boolean },
  provider: string | null,
): PaymentSettingsUpdate => {
  const isProviderChanged = before.rawCard && update.payment_type !== undefined && update.payment_type !== before.type
  if (update.payment_raw_card !== true) return isProviderChanged ? { ...update, payment_raw_card: false } : update
  if (provider !== null && acceptsCardNumbers(findProviderFor(toPaymentsDeps(context), provider))) return update
  const reason = provider === null ? 'the reseller takes no payments' : `cards are typed into fields of ${provider}’s own`
  throw new OperatorError(`--raw-card stays off: ${reason}, and their numbers never reach this server.`)
}

/** The webhook secret in a file, without blanks around. @throws OperatorError when the file is empty */
const readSecret = async (io: CommandIo, file: string): Promise<string> => {
  const secret = (await readTextFile(io, file)).trim()
  if (secret === '') throw new OperatorError('The file with the secret is empty.')
  return secret
}

/** A reseller's payment settings with its fees and the id and address of the account in use. No credentials are among them. */
const readSettings = async (db: Db, resellerId: number) => {
  const settings = await readPaymentSettings(db, resellerId)
  const account = settings.provider === null ? undefined : await findStoredAccount(db, resellerId, settings.provider)
  return { ...settings, accountId: account?.id ?? null, address: account?.baseUrl ?? null, fees: await listFeeRules(db, resellerId) }
}

/** Writes an audit entry with the settings before and, read again, after the change. Must be the transaction's last statement. */
const auditSettings = async (context: AppContext, db: Db, resellerId: number, detail: string, before: object): Promise<void> => {
  const after = await readSettings(db, resellerId)
  await auditOperator(db, context, 'payments.account-changed', { resellerId, subject: `reseller ${resellerId}`, detail, before, after })
}

/** Reads and prints the payment settings, fees, and current and former accounts of a reseller. @returns 0, the exit code */
const showSettings = async (context: AppContext, io: CommandIo, resellerId: number, left: LeftAccount | null): Promise<number> => {
  const { fees, provider, former, ...settings } = await transactAsReseller(toPaymentsDeps(context), resellerId, async (db) => ({
    ...(await readSettings(db, resellerId)),
    former: await listFormerAccounts(db, resellerId),
  }))
  const current = provider === null ? null : await findAccountInUse(context, resellerId, provider)
  const adapter = findProvider(provider ?? '')
  const hasWebhooks = adapter?.webhooks !== undefined
  const methodType = adapter?.debits?.kinds[settings.debitId ?? 0]?.type
  const debitDays =
    current === null || methodType === undefined
      ? null
      : await findDebitBankingDays(toPaymentsDeps(context), { resellerId, accountId: current.id, methodType })
  const output = {
    resellerId,
    ...settings,
    provider: provider ?? 'none',
    debitDays,
    hasCredentials: current !== null,
    webhookUrl: hasWebhooks ? `${context.config.publicUrl}/hooks/${provider ?? ''}/${resellerId}` : null,
    webhookSecrets: current === null ? 0 : webhookSecretsOf(current.settings).length,
    fees: fees.map(({ line, currency, percent, fixedMinor }) => ({ line, currency, percent, fixed: toDecimal(fixedMinor, currency) })),
    formerAccounts: former.map(toFormerOutput),
    ...(left === null ? {} : { left: { account: left.account.id, provider: left.account.provider, ...left.use } }),
  }
  return printResult(io, output, () => [
    `Reseller ${resellerId}: ${output.provider}, payments ${settings.isEnabled ? 'on' : 'off'}, of several invoices ${settings.isBulk ? 'on' : 'off'}`,
    `  address      ${settings.address ?? 'none'}`,
    `  raw cards    ${settings.rawCard ? 'on: card numbers come to this server' : 'off'}`,
    ...formatRules(settings, debitDays),
    `  credentials  ${output.hasCredentials ? `kept, of account ${settings.accountId ?? ''}` : 'none'}, ${output.webhookSecrets} webhook secret(s)`,
    ...(output.webhookUrl === null ? [] : [`  webhooks to  ${output.webhookUrl}`]),
    ...output.fees.map(({ line, currency, percent, fixed }) => `  ${line}  ${percent} % and ${fixed} ${currency}`),
    ...former.map(formatFormerAccount),
    ...(left === null ? [] : describeConsequences(left.account, left.use, { isDone: true })),
  ])
}

type PaymentSettings = Omit<Awaited<ReturnType<typeof readPaymentSettings>>, 'provider'>

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off')

/** The lines about a reseller's payment settings for a terminal. */
const formatRules = (settings: PaymentSettings, debitDays: number | null): string[] => [
  `  debit        ${settings.debitId === null ? 'none' : `kind ${settings.debitId}`}${debitDays === null ? '' : `, its money expected after ${debitDays} banking days`}`,
  `  permission   ${settings.askPermission === null ? 'NOT CHOSEN: autopay charges nobody until --ask-permission says' : onOff(settings.askPermission)}${settings.permissionText === null ? '' : `: ${settings.permissionText}`}`,
  `  on the forms receipts ${onOff(settings.receipts)}, billing address ${onOff(settings.billingAddress)}, card holder ${onOff(settings.cardHolder)}`,
  `  payment types ${settings.hidePaymentTypes ? 'hidden from customers' : 'shown'}${settings.disclaimer === null ? '' : `: ${settings.disclaimer}`}`,
]
