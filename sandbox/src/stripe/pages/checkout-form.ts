import { html, type Markup } from '../../http/html.ts'
import type { CheckoutSession } from '../objects/checkout-sessions.ts'
import { type Form, formOf } from '../api/form.ts'
import type { MethodType } from '../objects/payment-methods/payment-method.ts'

interface Field {
  readonly name: string
  readonly label: string
  readonly type?: string
  readonly hint?: string
  readonly autocomplete?: string
}

const OWNER: readonly Field[] = [
  { name: 'billing_details[name]', label: 'Account holder name', autocomplete: 'name' },
  { name: 'billing_details[email]', label: 'Email', type: 'email', autocomplete: 'email' },
]

const ACCOUNTS: Readonly<Record<MethodType, readonly Field[]>> = {
  card: [
    { name: 'card[number]', label: 'Card number', autocomplete: 'cc-number' },
    { name: 'card[exp_month]', label: 'Expiry month', autocomplete: 'cc-exp-month' },
    { name: 'card[exp_year]', label: 'Expiry year', autocomplete: 'cc-exp-year' },
    { name: 'card[cvc]', label: 'CVC', autocomplete: 'cc-csc' },
  ],
  bacs_debit: [
    { name: 'bacs_debit[sort_code]', label: 'Sort code', hint: 'Test: 108800' },
    { name: 'bacs_debit[account_number]', label: 'Account number', hint: 'Test: 00012345' },
  ],
  us_bank_account: [
    { name: 'us_bank_account[routing_number]', label: 'Routing number', hint: 'Test: 110000000' },
    { name: 'us_bank_account[account_number]', label: 'Account number', hint: 'Test: 000123456789' },
  ],
  au_becs_debit: [
    { name: 'au_becs_debit[bsb_number]', label: 'BSB', hint: 'Test: 000000' },
    { name: 'au_becs_debit[account_number]', label: 'Account number', hint: 'Test: 000123456' },
  ],
  sepa_debit: [{ name: 'sepa_debit[iban]', label: 'IBAN', hint: 'Test: AT61 1904 3002 3457 3201' }],
}

const NAMES: Readonly<Record<MethodType, string>> = {
  card: 'Card',
  bacs_debit: 'Bacs Direct Debit',
  us_bank_account: 'US bank account',
  au_becs_debit: 'BECS Direct Debit',
  sepa_debit: 'SEPA Direct Debit',
}

/** A filled-in page that was not taken. */
export interface Refused {
  readonly message: string
  /** What was typed, as it was sent. */
  readonly typed: string
}

/** The kind of method that the page asks for: the one that the address names when the session takes it, else its first. */
export const chosenType = ({ payment_method_types: types }: CheckoutSession, query: Form): MethodType =>
  (types.find((type) => type === query['type']) ?? types[0]) as MethodType

/** Checkout's form: whose account it is, its numbers, and the consent to debit it. */
export const checkoutForm = (session: CheckoutSession, type: MethodType, refused?: Refused): Markup => {
  const typed = new URLSearchParams(refused?.typed ?? '')
  return html`${others(session, type)}${refused === undefined ? '' : html`<p role="alert">${refused.message}</p>`}
<form method="post" action="?type=${type}"><input type="hidden" name="type" value="${type}">
${[...OWNER, ...ACCOUNTS[type]].map((one) => field(one, typed.get(one.name) ?? ''))}
${type === 'us_bank_account' ? html`<label>Account type<select name="us_bank_account[account_type]"><option value="checking">Checking</option><option value="savings">Savings</option></select></label>` : ''}
${type === 'card' ? '' : html`<label class="tick"><input type="checkbox" name="agreed" value="yes" required><span>I allow the company to debit this account, and agree to the terms of the Direct Debit mandate.</span></label>`}
<div class="buttons"><button>Save account</button>${session.cancel_url === null ? '' : html`<a class="button plain" href="${session.cancel_url}">Cancel</a>`}</div></form>
<small>This stands for Stripe Checkout. No bank hears of what is typed here.</small>`
}

const others = ({ payment_method_types: types }: CheckoutSession, chosen: MethodType): Markup =>
  types.length < 2
    ? html``
    : html`<nav aria-label="Payment method">${types.map((type) => html`<a href="?type=${type}"${type === chosen ? html` aria-current="page"` : ''}>${NAMES[type as MethodType]}</a>`)}</nav>`

const field = ({ name, label, type = 'text', hint, autocomplete = 'off' }: Field, value: string): Markup =>
  html`<label>${label}<input name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" required>${hint === undefined ? '' : html`<small>${hint}</small>`}</label>`

/** What was filled in, as the API would have it; the tick apart. */
export const filledIn = (body: string): { readonly form: Form; readonly agreed: boolean } => {
  const { agreed, ...form } = formOf(body)
  return { form, agreed: agreed === 'yes' || form['type'] === 'card' }
}
