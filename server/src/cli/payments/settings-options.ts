import { PAYMENT_TYPES } from '@counterfoil/contract/kit/payments/payment-type'
import { OperatorError } from '../../kit/api-error.ts'
import type { PaymentSettingsUpdate } from '../../payments/accounts/account-settings.queries.ts'
import { findProvider } from '../../payments/providers/registry.ts'
import { flag, inputOption, listOption, type Options, type OptionsOf, textOption, toTyped } from '../command.ts'

/** How a reseller takes payments. */
export const SETTINGS = {
  type: textOption('company', 'the payment provider, or none'),
  credentials: inputOption('file', 'a JSON file with the account’s credentials; - is standard input'),
  address: textOption('url', 'the address of the provider’s API'),
  accountIs: textOption(
    'same|another',
    'whose account the credentials are of, where their names have changed or the provider cannot be asked',
  ),
  yes: flag('go on without being asked, although payments at the account in use are not final, or stored methods stay there'),
  publishableKey: textOption('key', 'the key that stands in web pages'),
  payments: textOption('on|off', 'whether customers may pay'),
  bulk: textOption('on|off', 'whether they may pay several invoices at once'),
  debit: textOption('kind', 'the bank debit offered: none, 1 (AU BECS), 2 (US ACH), 3 (BACS), 4 (SEPA)'),
  rawCard: textOption(
    'on|off',
    'whether card numbers may come to this server, for a provider that accepts them; PCI DSS SAQ D applies then',
  ),
  askPermission: textOption('on|off', 'whether autopay charges only customers who allow it; on for a new reseller'),
  permissionText: textOption('text', 'what a customer confirms when giving that permission'),
  hidePaymentTypes: textOption('on|off', 'whether customers see no Payment Types'),
  disclaimer: textOption('text', 'what stands below the payment types'),
  receipts: textOption('on|off', 'whether a payer can have a receipt mailed'),
  billingAddress: textOption('on|off', 'whether a card needs its billing address'),
  cardHolder: textOption('on|off', 'whether the public page of an invoice needs the name on the card'),
  fee: listOption('rule...', 'what is added: card:AUD:1.5:0.30 (percent, fixed part); card:AUD:0:0 takes it away'),
}

const ON_OFF: Readonly<Record<string, boolean>> = { on: true, off: false }

/**
 * The columns of the payment settings that the options change, with their values. Stores nothing.
 * @throws OperatorError for the first malformed value
 */
export const parseSettingsUpdate = (options: OptionsOf<typeof SETTINGS>): PaymentSettingsUpdate => {
  const [type, debit, key] = (['type', 'debit', 'publishableKey'] as const).map((name) => options[name]?.trim())
  return {
    ...(type === undefined ? {} : { payment_type: parsePaymentType(type) }),
    ...(debit === undefined ? {} : { direct_debit_payment_method_id: parseDebitKind(debit) }),
    ...(key === undefined ? {} : { publishable_key: parsePublishableKey(key) }),
    ...parseEach(SWITCHES, options, parseSwitch),
    ...parseEach(TEXTS, options, parseText),
  }
}

/** The columns of the settings that are on or off. */
const SWITCHES = {
  payments: 'payments_enabled',
  bulk: 'payments_bulk',
  rawCard: 'payment_raw_card',
  askPermission: 'customer_permission_for_charging',
  hidePaymentTypes: 'hide_payment_types_for_customer_users',
  receipts: 'payment_email_receipt',
  billingAddress: 'payment_billing_address_required',
  cardHolder: 'payment_cardholder_required',
} as const satisfies Partial<Record<keyof typeof SETTINGS, keyof PaymentSettingsUpdate>>

/** The columns of the texts that customers read. */
const TEXTS = {
  permissionText: 'confirmation_message_for_charging',
  disclaimer: 'payment_type_disclaimer',
} as const satisfies Partial<Record<keyof typeof SETTINGS, keyof PaymentSettingsUpdate>>

/** The columns of the options that are given, with parsed values. */
const parseEach = <Value>(
  columns: Readonly<Record<string, keyof PaymentSettingsUpdate>>,
  options: Options,
  parse: (option: string, text: string) => Value,
): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([key, column]) => {
      const value = options[key]
      return typeof value === 'string' ? [[column, parse(toTyped(key), value.trim())]] : []
    }),
  )

const MAX_TEXT_CHARACTERS = 2_000

/**
 * A text that customers read; null for an empty one, which clears it. @throws OperatorError when it is too long or has control characters
 */
const parseText = (option: string, value: string): string | null => {
  if (value.length > MAX_TEXT_CHARACTERS || /[^\P{C}\n]/u.test(value))
    throw new OperatorError(`--${option}: a text of at most ${MAX_TEXT_CHARACTERS} characters, without control characters.`)
  return value === '' ? null : value
}

/** True for `on`, false for `off`. @throws OperatorError for anything else */
const parseSwitch = (name: string, text: string): boolean => {
  const value = ON_OFF[text]
  if (value === undefined) throw new OperatorError(`--${name} is on or off, not ${text}.`)
  return value
}

/** The number of a payment type that is given by its name or number. @throws OperatorError where this installation has no such provider */
const parsePaymentType = (text: string): number => {
  const type = Object.entries(PAYMENT_TYPES).find(([name, number]) => name === text || String(number) === text)
  const usable = Object.keys(PAYMENT_TYPES).filter((name) => name === 'none' || findProvider(name) !== undefined)
  if (type === undefined || !usable.includes(type[0]))
    throw new OperatorError(`There is no payment provider "${text}" here; there are ${usable.join(', ')}.`)
  return type[1]
}

/** The number of a bank debit's kind; null for `none`. @throws OperatorError for anything else */
const parseDebitKind = (text: string): number | null => {
  if (text === 'none') return null
  if (!/^[1-4]$/.test(text)) throw new OperatorError('--debit is none, or 1 (AU BECS), 2 (US ACH), 3 (BACS) or 4 (SEPA).')
  return Number(text)
}

/** The key for web pages; null for an empty text. @throws OperatorError when it is malformed or looks like a secret key */
const parsePublishableKey = (text: string): string | null => {
  if (text === '') return null
  if (!/^[!-~]{1,1000}$/.test(text) || /^(sk|rk|whsec)_/.test(text))
    throw new OperatorError('--publishable-key is the key that stands in web pages. A secret one is given by a file (--credentials).')
  return text
}
