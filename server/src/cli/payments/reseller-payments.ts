import { PAYMENT_TYPES } from '@counterfoil/contract/kit/payments/payment-type'
import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import {
  updatePaymentSettings,
  findPaymentSettings,
  replaceFeeRule,
  type PaymentSettingsUpdate,
  findStoredAccount,
} from '../../payments/accounts/account-settings.queries.ts'
import { findAccount, openSettings, sealAccount } from '../../payments/accounts/accounts.ts'
import { upsertAccount } from '../../payments/accounts/accounts.queries.ts'
import { listFeeRules } from '../../payments/engine/claim.queries.ts'
import { transactAsReseller, findProviderFor } from '../../payments/payments-deps.ts'
import { findProvider } from '../../payments/providers/registry.ts'
import type { Command, CommandIo, Options } from '../command.ts'
import { typedFeeRule } from './parse-fee-rule.ts'
import { auditOperator } from '../operator-audit.ts'
import { decimal, given, paymentsDeps, resellerMeant, tell } from './command-support.ts'
import { readTextFile } from '../sso/sso-options.ts'

/** `counterfoil reseller payments set RESELLER …`: what is named changes, the rest stays; without a change it shows what stands. */
export const resellerPaymentsSetCommand: Command = async (context, io, [name = ''], options) => {
  const resellerId = await resellerMeant(context, name)
  const asked = settingsChange(options)
  const fees = (given(options, 'fee') ?? '')
    .split(/\s+/)
    .filter((text) => text !== '')
    .map(typedFeeRule)
  const credentials = await readCredentials(io, options)
  const address = given(options, 'address')
  const before = await transactAsReseller(paymentsDeps(context), resellerId, (db) => standing(db, resellerId))
  const provider = providerOfType(asked.payment_type ?? before.type)
  const change = withRawCards(context, asked, before, provider)
  if (provider === null && (credentials !== null || address !== undefined))
    throw new OperatorError('Say which payment company it is: --type.')
  const account =
    provider === null || (credentials === null && address === undefined)
      ? null
      : await wholeAccount(context, { resellerId, provider, credentials: credentials ?? {}, address })
  const hasChange = Object.keys(change).length + fees.length > 0 || account !== null
  if (hasChange)
    await transactAsReseller(paymentsDeps(context), resellerId, async (db) => {
      await updatePaymentSettings(db, resellerId, change)
      for (const fee of fees) await replaceFeeRule(db, resellerId, fee)
      if (account !== null) await upsertAccount(db, account, context.clock())
      const changed = [...Object.keys(change), ...(fees.length > 0 ? ['fees'] : []), ...(account === null ? [] : ['account'])]
      await noteAccount(context, db, resellerId, changed.join(', '), before)
    })
  return showStanding(context, io, resellerId)
}

/** `counterfoil reseller payments test RESELLER`: asks the company whose account it is. Exit code 1 when that does not work. */
export const resellerPaymentsTestCommand: Command = async (context, io, [name = '']) => {
  const resellerId = await resellerMeant(context, name)
  const account = await findAccount(paymentsDeps(context), resellerId)
  if (account === null) throw new OperatorError('The reseller has no account that can be used: see reseller payments set.')
  if (account.provider.checkAccount === undefined)
    throw new OperatorError(`${account.provider.name} has no call that tells whose account it is.`)
  const said = await account.provider.checkAccount(account.context).catch((error: unknown) => {
    throw new OperatorError(error instanceof Error ? error.message : 'The company cannot be asked.', { cause: error })
  })
  await transactAsReseller(paymentsDeps(context), resellerId, (db) =>
    auditOperator(db, context, 'payments.account-tested', { resellerId, subject: `reseller ${resellerId}`, detail: said.account }),
  )
  tell(io, { provider: account.provider.name, ...said }, () => [
    `${account.provider.name} knows the account ${said.account}${said.country === null ? '' : ` (${said.country})`}.`,
    said.canCharge ? 'It may take payments.' : 'It may not take payments yet: the company wants to know more of its holder.',
  ])
  return said.canCharge ? 0 : 1
}

/** `counterfoil reseller payments rotate-secret RESELLER`: a new secret of notices beside the old one, or the old one's end. */
export const resellerPaymentsRotateCommand: Command = async (context, io, [name = ''], options) => {
  const resellerId = await resellerMeant(context, name)
  const file = given(options, 'webhookSecretFile')
  const isEnding = options['dropOld'] === true
  if ((file === undefined) === !isEnding)
    throw new OperatorError('Say either --webhook-secret-file FILE, or --drop-old once no notice is signed with the old one.')
  const before = await transactAsReseller(paymentsDeps(context), resellerId, (db) => standing(db, resellerId))
  const provider = providerOfType(before.type)
  if (provider === null) throw new OperatorError('The reseller takes no payments.')
  const known = await knownAccount(context, resellerId, provider)
  if (known === null) throw new OperatorError('The reseller has no account yet: see reseller payments set.')
  const secrets = secretsOf(known.settings)
  const rotated = file === undefined ? secrets.slice(0, 1) : [...new Set([await readSecret(io, file), ...secrets])].slice(0, 2)
  const account = sealAccount(context, {
    resellerId,
    provider,
    baseUrl: known.baseUrl,
    settings: { ...known.settings, webhookSecrets: rotated },
  })
  await transactAsReseller(paymentsDeps(context), resellerId, async (db) => {
    await upsertAccount(db, account, context.clock())
    await noteAccount(context, db, resellerId, isEnding ? 'old webhook secret dropped' : 'webhook secret added', before)
  })
  tell(io, { provider, webhookSecrets: rotated.length }, () => [
    rotated.length === 2
      ? 'Notices are taken with either secret now. When the company signs with the new one, run it with --drop-old.'
      : 'One secret counts now.',
  ])
  return 0
}

const ON_OFF: Readonly<Record<string, boolean>> = { on: true, off: false }

const settingsChange = (options: Options): PaymentSettingsUpdate => {
  const [type, payments, bulk, debit, key, raw] = ['type', 'payments', 'bulk', 'debit', 'publishableKey', 'rawCard'].map((name) =>
    given(options, name),
  )
  return {
    ...(type === undefined ? {} : { payment_type: typedType(type) }),
    ...(payments === undefined ? {} : { payments_enabled: typedSwitch('payments', payments) }),
    ...(bulk === undefined ? {} : { payments_bulk: typedSwitch('bulk', bulk) }),
    ...(debit === undefined ? {} : { direct_debit_payment_method_id: typedDebit(debit) }),
    ...(key === undefined ? {} : { publishable_key: typedPublishable(key) }),
    ...(raw === undefined ? {} : { payment_raw_card: typedSwitch('raw-card', raw) }),
  }
}

const typedSwitch = (name: string, text: string): boolean => {
  const value = ON_OFF[text]
  if (value === undefined) throw new OperatorError(`--${name} is on or off, not ${text}.`)
  return value
}

/** The switch goes on for a company that takes raw cards, and off with it: whoever changes the company says it anew. */
const withRawCards = (
  context: AppContext,
  change: PaymentSettingsUpdate,
  before: { readonly type: number; readonly rawCard: boolean },
  provider: string | null,
): PaymentSettingsUpdate => {
  const isLeft = before.rawCard && change.payment_type !== undefined && change.payment_type !== before.type
  if (change.payment_raw_card !== true) return isLeft ? { ...change, payment_raw_card: false } : change
  if (provider !== null && findProviderFor(paymentsDeps(context), provider)?.takesRawCards === true) return change
  const whose = provider === null ? 'the reseller takes no payments' : `cards are typed into fields of ${provider}’s own`
  throw new OperatorError(`--raw-card stays off: ${whose}, and their numbers never reach this server.`)
}

const typedType = (text: string): number => {
  const type = Object.entries(PAYMENT_TYPES).find(([name, number]) => name === text || String(number) === text)
  const usable = Object.keys(PAYMENT_TYPES).filter((name) => name === 'none' || findProvider(name) !== undefined)
  if (type === undefined || !usable.includes(type[0]))
    throw new OperatorError(`There is no payment company "${text}" here; there are ${usable.join(', ')}.`)
  return type[1]
}

const typedDebit = (text: string): number | null => {
  if (text === 'none') return null
  if (!/^[1-4]$/.test(text)) throw new OperatorError('--debit is none, or 1 (AU BECS), 2 (US ACH), 3 (BACS) or 4 (SEPA).')
  return Number(text)
}

const typedPublishable = (text: string): string | null => {
  if (text === '') return null
  if (!/^[!-~]{1,250}$/.test(text) || /^(sk|rk|whsec)_/.test(text))
    throw new OperatorError('--publishable-key is the key that stands in web pages. A secret one is given by a file (--credentials).')
  return text
}

const providerOfType = (type: number): string | null => {
  const name = Object.entries(PAYMENT_TYPES).find(([, number]) => number === type)?.[0]
  return name === undefined || name === 'none' ? null : name
}

/** What a file of credentials says; what it says is never repeated. */
const readCredentials = async (io: CommandIo, options: Options): Promise<Readonly<Record<string, unknown>> | null> => {
  const file = given(options, 'credentials')
  if (file === undefined) return null
  const text = await readTextFile(io, file)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // what stands there may be a secret, and the parser's words repeat some of it
  }
  throw new OperatorError('The credentials are one JSON object, as in { "secretKey": "…" }.')
}

const readSecret = async (io: CommandIo, file: string): Promise<string> => {
  const secret = (await readTextFile(io, file)).trim()
  if (secret === '') throw new OperatorError('The file with the secret is empty.')
  return secret
}

const knownAccount = async (context: AppContext, resellerId: number, provider: string) => {
  const row = await transactAsReseller(paymentsDeps(context), resellerId, (db) => findStoredAccount(db, resellerId, provider))
  return row === undefined ? null : { baseUrl: row.baseUrl, settings: openSettings(context, resellerId, provider, row.sealed) }
}

const secretsOf = (settings: object): string[] => ('webhookSecrets' in settings ? (settings.webhookSecrets as string[]) : [])

/** The account with what is new of it; what is not named stays. */
const wholeAccount = async (
  context: AppContext,
  {
    resellerId,
    provider,
    credentials,
    address,
  }: { resellerId: number; provider: string; credentials: object; address: string | undefined },
) => {
  const known = await knownAccount(context, resellerId, provider)
  const baseUrl = address ?? known?.baseUrl
  if (baseUrl === undefined) throw new OperatorError('Say the address of the company’s API: --address https://…')
  const takesNotices = 'webhookSecrets' in ((findProvider(provider)?.settings as { properties?: object } | undefined)?.properties ?? {})
  const settings = { ...(takesNotices ? { webhookSecrets: [] } : {}), ...known?.settings, ...credentials }
  return sealAccount(context, { resellerId, provider, baseUrl, settings })
}

const standing = async (db: Db, resellerId: number) => {
  const settings = await findPaymentSettings(db, resellerId)
  const account = settings.provider === null ? undefined : await findStoredAccount(db, resellerId, settings.provider)
  return { ...settings, address: account?.baseUrl ?? null, fees: await listFeeRules(db, resellerId) }
}

const noteAccount = async (context: AppContext, db: Db, resellerId: number, detail: string, before: object): Promise<void> => {
  const after = await standing(db, resellerId)
  await auditOperator(db, context, 'payments.account-changed', { resellerId, subject: `reseller ${resellerId}`, detail, before, after })
}

const showStanding = async (context: AppContext, io: CommandIo, resellerId: number): Promise<number> => {
  const { fees, provider, ...now } = await transactAsReseller(paymentsDeps(context), resellerId, (db) => standing(db, resellerId))
  const known = provider === null ? null : await knownAccount(context, resellerId, provider)
  const shown = {
    resellerId,
    ...now,
    provider: provider ?? 'none',
    hasCredentials: known !== null,
    webhookSecrets: known === null ? 0 : secretsOf(known.settings).length,
    fees: fees.map(({ line, currency, percent, fixedMinor }) => ({ line, currency, percent, fixed: decimal(fixedMinor, currency) })),
  }
  tell(io, shown, () => [
    `Reseller ${resellerId}: ${shown.provider}, payments ${now.isEnabled ? 'on' : 'off'}, of several invoices ${now.isBulk ? 'on' : 'off'}`,
    `  address      ${now.address ?? 'none'}`,
    `  raw cards    ${now.rawCard ? 'on: card numbers come to this server' : 'off'}`,
    `  credentials  ${shown.hasCredentials ? 'kept' : 'none'}, ${shown.webhookSecrets} webhook secret(s)`,
    `  notices to   ${context.config.publicUrl}/hooks/${shown.provider}/${resellerId}`,
    ...shown.fees.map(({ line, currency, percent, fixed }) => `  ${line}  ${percent} % and ${fixed} ${currency}`),
  ])
  return 0
}
