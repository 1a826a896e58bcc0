import type { Form } from '../../api/form.ts'
import { digest } from '../../store/ids.ts'
import { text } from '../../api/params.ts'
import type { MethodSecrets } from './payment-method.ts'
import { invalid } from '../../api/stripe-error.ts'
import { type DebitType, isTestAccount, READY_ACCOUNTS, TEST_ROUTING } from './test-accounts.ts'

interface NewDebit {
  readonly shown: object
  readonly secrets: MethodSecrets
}

interface Owner {
  readonly name: string | null
  readonly email: string | null
}

/** A bank account as it was typed. */
export const newDebit = (type: DebitType, typed: Form, owner: Owner): NewDebit => {
  if (owner.name === null) throw needed('billing_details[name]')
  if (owner.email === null && type !== 'us_bank_account') throw needed('billing_details[email]')
  const number = numberOf(type, typed)
  return { shown: shownOf(type, typed, number), secrets: { number: isTestAccount(type, number) ? number : '' } }
}

/** The account behind `pm_bacsDebit_…` and its like; undefined when there is none of that name. */
export const readyDebit = (id: string): (NewDebit & { readonly type: DebitType }) | undefined => {
  const [type, number = ''] = READY_ACCOUNTS[id] ?? []
  if (type === undefined) return undefined
  const routing = TEST_ROUTING[type]
  const typed: Form = { bsb_number: routing, routing_number: routing, sort_code: routing }
  return { type, shown: shownOf(type, typed, number), secrets: { number } }
}

const needed = (param: string) => invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })

const RULES: Readonly<Record<DebitType, readonly (readonly [field: string, rule: RegExp, code: string])[]>> = {
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

const numberOf = (type: DebitType, typed: Form): string => {
  for (const [field, rule, code] of RULES[type]) {
    const value = bare(typed, field)
    if (value === '') throw needed(`${type}[${field}]`)
    if (!rule.test(value) || (field === 'iban' && !isIban(value)))
      throw invalid(`The ${field.replace('_', ' ')} is not valid.`, { code, param: `${type}[${field}]` })
  }
  return bare(typed, type === 'sepa_debit' ? 'iban' : 'account_number')
}

const bare = (typed: Form, field: string): string => (text(typed, field) ?? '').replaceAll(/[\s-]/g, '').toUpperCase()

const isIban = (iban: string): boolean => {
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((sign) => String(Number.parseInt(sign, 36))).join('')
  return BigInt(digits) % 97n === 1n
}

const shownOf = (type: DebitType, typed: Form, number: string): object => {
  const last4 = number.slice(-4)
  if (type === 'au_becs_debit') return { bsb_number: bare(typed, 'bsb_number'), fingerprint: printOf(number), last4 }
  if (type === 'bacs_debit') return { fingerprint: printOf(number), last4, sort_code: bare(typed, 'sort_code') }
  if (type === 'sepa_debit')
    return {
      bank_code: number.slice(4, 9),
      branch_code: '',
      country: number.slice(0, 2),
      fingerprint: printOf(number),
      generated_from: { charge: null, setup_attempt: null },
      last4,
    }
  return {
    account_holder_type: text(typed, 'account_holder_type') ?? 'individual',
    account_type: text(typed, 'account_type') ?? 'checking',
    bank_name: 'STRIPE TEST BANK',
    financial_connections_account: null,
    fingerprint: printOf(number),
    last4,
    networks: { preferred: 'ach', supported: ['ach'] },
    routing_number: bare(typed, 'routing_number'),
    status_details: {},
  }
}

const printOf = (number: string): string => digest(number.slice(-4))
