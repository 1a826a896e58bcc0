import type { Form } from '../api/form.ts'
import { shortHash } from '../store/ids.ts'
import { stringParam } from '../api/params.ts'
import type { MethodSecrets } from './payment-method.ts'
import { invalidRequest } from '../api/stripe-error.ts'
import { type DebitType, isTestAccount, PRESET_ACCOUNTS, PRESET_ROUTING_NUMBERS } from './test-accounts.ts'

interface NewBankAccount {
  readonly shown: object
  readonly secrets: MethodSecrets
}

interface Owner {
  readonly name: string | null
  readonly email: string | null
}

/**
 * A bank account as it was typed, not stored; its whole number is kept only if it is a test number.
 * @throws StripeError when a number is wrong or a required field is missing
 */
export const parseBankAccount = (type: DebitType, typed: Form, owner: Owner): NewBankAccount => {
  if (owner.name === null) throw missingParamError('billing_details[name]')
  if (owner.email === null && type !== 'us_bank_account') throw missingParamError('billing_details[email]')
  const number = parseAccountNumber(type, typed)
  return { shown: accountDetails(type, typed, number), secrets: { number: isTestAccount(type, number) ? number : '' } }
}

/** The account of a predefined method such as `pm_bacsDebit_success`; undefined for any other id. */
export const presetBankAccount = (id: string): (NewBankAccount & { readonly type: DebitType }) | undefined => {
  const [type, number = ''] = PRESET_ACCOUNTS[id] ?? []
  if (type === undefined) return undefined
  const routing = PRESET_ROUTING_NUMBERS[type]
  const typed: Form = { bsb_number: routing, routing_number: routing, sort_code: routing }
  return { type, shown: accountDetails(type, typed, number), secrets: { number } }
}

/** The error of a missing parameter; a value, not thrown here. */
const missingParamError = (param: string) => invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })

const FIELD_RULES: Readonly<Record<DebitType, readonly (readonly [field: string, rule: RegExp, code: string])[]>> = {
  au_becs_debit: [
    ['bsb_number', /^\d{6}$/, 'invalid_bsb_number'],
    ['account_number', /^\d{4,9}$/, 'account_number_invalid'],
  ],
  us_bank_account: [
    ['routing_number', /^\d{9}$/, 'routing_number_invalid'],
    ['account_number', /^\d{4,17}$/, 'account_number_invalid'],
  ],
  bacs_debit: [
    ['sort_code', /^\d{6}$/, 'invalid_sort_code'],
    ['account_number', /^\d{8}$/, 'account_number_invalid'],
  ],
  sepa_debit: [['iban', /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'invalid_iban']],
}

/** The account number or IBAN in capitals without spaces and dashes. @throws StripeError when a field of the type is missing or wrong */
const parseAccountNumber = (type: DebitType, typed: Form): string => {
  for (const [field, rule, code] of FIELD_RULES[type]) {
    const value = normalizedParam(typed, field)
    if (value === '') throw missingParamError(`${type}[${field}]`)
    if (!rule.test(value) || (field === 'iban' && !isIban(value)))
      throw invalidRequest(`The ${field.replace('_', ' ')} is not valid.`, { code, param: `${type}[${field}]` })
  }
  return normalizedParam(typed, type === 'sepa_debit' ? 'iban' : 'account_number')
}

/** The typed text in capitals without spaces and dashes; empty when absent. */
const normalizedParam = (typed: Form, field: string): string =>
  (stringParam(typed, field) ?? '').replaceAll(/[\s\p{Dash_Punctuation}]/gu, '').toUpperCase()

/** Whether an IBAN has right check digits. */
const isIban = (iban: string): boolean => {
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((character) => String(Number.parseInt(character, 36))).join('')
  return BigInt(digits) % 97n === 1n
}

/** A bank account as a payment method shows it, with the last four digits of its number. */
const accountDetails = (type: DebitType, typed: Form, number: string): object => {
  const last4 = number.slice(-4)
  if (type === 'au_becs_debit') return { bsb_number: normalizedParam(typed, 'bsb_number'), fingerprint: fingerprintOf(number), last4 }
  if (type === 'bacs_debit') return { fingerprint: fingerprintOf(number), last4, sort_code: normalizedParam(typed, 'sort_code') }
  if (type === 'sepa_debit')
    return {
      bank_code: number.slice(4, 9),
      branch_code: '',
      country: number.slice(0, 2),
      fingerprint: fingerprintOf(number),
      generated_from: { charge: null, setup_attempt: null },
      last4,
    }
  return {
    account_holder_type: stringParam(typed, 'account_holder_type') ?? 'individual',
    account_type: stringParam(typed, 'account_type') ?? 'checking',
    bank_name: 'STRIPE TEST BANK',
    financial_connections_account: null,
    fingerprint: fingerprintOf(number),
    last4,
    networks: { preferred: 'ach', supported: ['ach'] },
    routing_number: normalizedParam(typed, 'routing_number'),
    status_details: {},
  }
}

/** A hash of the last four digits alone: two accounts that end alike have equal fingerprints. */
const fingerprintOf = (number: string): string => shortHash(number.slice(-4))
