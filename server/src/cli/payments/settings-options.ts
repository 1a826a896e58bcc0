import { PAYMENT_TYPES } from '@counterfoil/contract/kit/payments/payment-type'
import { OperatorError } from '../../kit/api-error.ts'
import type { PaymentSettingsUpdate } from '../../payments/accounts/account-settings.queries.ts'
import { findProvider } from '../../payments/providers/registry.ts'
import { inputOption, listOption, type OptionsOf, textOption } from '../command.ts'

/** How a reseller takes payments. */
export const SETTINGS = {
  type: textOption('company', 'the payment provider, or none'),
  credentials: inputOption('file', 'a JSON file with the account’s credentials; - is standard input'),
  address: textOption('url', 'the address of the provider’s API'),
  publishableKey: textOption('key', 'the key that stands in web pages'),
  payments: textOption('on|off', 'whether customers may pay'),
  bulk: textOption('on|off', 'whether they may pay several invoices at once'),
  debit: textOption('kind', 'the bank debit offered: none, 1 (AU BECS), 2 (US ACH), 3 (BACS), 4 (SEPA)'),
  rawCard: textOption(
    'on|off',
    'whether card numbers may come to this server, for a provider that accepts them; PCI DSS SAQ D applies then',
  ),
  fee: listOption('rule...', 'what is added: card:AUD:1.5:0.30 (percent, fixed part); card:AUD:0:0 takes it away'),
}

const ON_OFF: Readonly<Record<string, boolean>> = { on: true, off: false }

/** What the options change. @throws OperatorError for the first malformed value */
export const parseSettingsUpdate = (options: OptionsOf<typeof SETTINGS>): PaymentSettingsUpdate => {
  const [type, payments, bulk, debit, key, raw] = (['type', 'payments', 'bulk', 'debit', 'publishableKey', 'rawCard'] as const).map(
    (name) => options[name]?.trim(),
  )
  return {
    ...(type === undefined ? {} : { payment_type: parsePaymentType(type) }),
    ...(payments === undefined ? {} : { payments_enabled: parseSwitch('payments', payments) }),
    ...(bulk === undefined ? {} : { payments_bulk: parseSwitch('bulk', bulk) }),
    ...(debit === undefined ? {} : { direct_debit_payment_method_id: parseDebitKind(debit) }),
    ...(key === undefined ? {} : { publishable_key: parsePublishableKey(key) }),
    ...(raw === undefined ? {} : { payment_raw_card: parseSwitch('raw-card', raw) }),
  }
}

const parseSwitch = (name: string, text: string): boolean => {
  const value = ON_OFF[text]
  if (value === undefined) throw new OperatorError(`--${name} is on or off, not ${text}.`)
  return value
}

const parsePaymentType = (text: string): number => {
  const type = Object.entries(PAYMENT_TYPES).find(([name, number]) => name === text || String(number) === text)
  const usable = Object.keys(PAYMENT_TYPES).filter((name) => name === 'none' || findProvider(name) !== undefined)
  if (type === undefined || !usable.includes(type[0]))
    throw new OperatorError(`There is no payment provider "${text}" here; there are ${usable.join(', ')}.`)
  return type[1]
}

const parseDebitKind = (text: string): number | null => {
  if (text === 'none') return null
  if (!/^[1-4]$/.test(text)) throw new OperatorError('--debit is none, or 1 (AU BECS), 2 (US ACH), 3 (BACS) or 4 (SEPA).')
  return Number(text)
}

const parsePublishableKey = (text: string): string | null => {
  if (text === '') return null
  if (!/^[!-~]{1,250}$/.test(text) || /^(sk|rk|whsec)_/.test(text))
    throw new OperatorError('--publishable-key is the key that stands in web pages. A secret one is given by a file (--credentials).')
  return text
}
