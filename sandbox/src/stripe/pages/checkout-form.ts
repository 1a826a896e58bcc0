import { html, type Markup } from '../../http/html.ts'
import type { CheckoutSession } from '../objects/checkout-sessions.ts'
import { type Form, parseForm } from '../api/form.ts'
import type { MethodType } from '../payment-methods/payment-method.ts'

interface Field {
  readonly name: string
  readonly label: string
  readonly type?: string
  readonly hint?: string
  readonly autocomplete?: string
}

const OWNER_FIELDS: readonly Field[] = [
  { name: 'billing_details[name]', label: 'Account holder name', autocomplete: 'name' },
  { name: 'billing_details[email]', label: 'Email', type: 'email', autocomplete: 'email' },
]

const ACCOUNT_FIELDS: Readonly<Record<MethodType, readonly Field[]>> = {
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

const TYPE_LABELS: Readonly<Record<MethodType, string>> = {
  card: 'Card',
  bacs_debit: 'Bacs Direct Debit',
  us_bank_account: 'US bank account',
  au_becs_debit: 'BECS Direct Debit',
  sepa_debit: 'SEPA Direct Debit',
}

/** A submitted form that was rejected. */
export interface RejectedForm {
  readonly message: string
  /** The submitted form, URL-encoded. */
  readonly values: string
}

/** The method type in the page's query if the session allows it, else the session's first. */
export const selectedType = ({ payment_method_types: types }: CheckoutSession, query: Form): MethodType =>
  (types.find((type) => type === query['type']) ?? types[0]) as MethodType

/** Checkout's form: the owner, the account's numbers and the consent to debit it, with what was typed when it was rejected. */
export const checkoutForm = (session: CheckoutSession, type: MethodType, rejected?: RejectedForm): Markup => {
  const values = new URLSearchParams(rejected?.values ?? '')
  return html`${typeLinks(session, type)}${rejected === undefined ? '' : html`<p role="alert">${rejected.message}</p>`}
<form method="post" action="?type=${type}"><input type="hidden" name="type" value="${type}">
${[...OWNER_FIELDS, ...ACCOUNT_FIELDS[type]].map((field) => fieldMarkup(field, values.get(field.name) ?? ''))}
${type === 'us_bank_account' ? html`<label>Account type<select name="us_bank_account[account_type]"><option value="checking">Checking</option><option value="savings">Savings</option></select></label>` : ''}
${type === 'card' ? '' : html`<label class="tick"><input type="checkbox" name="agreed" value="yes" required><span>I allow the company to debit this account, and agree to the terms of the Direct Debit mandate.</span></label>`}
<div class="buttons"><button>Save account</button>${session.cancel_url === null ? '' : html`<a class="button plain" href="${session.cancel_url}">Cancel</a>`}</div></form>
<small>This page stands in for Stripe Checkout. Nothing you enter here reaches a bank.</small>`
}

/** The links to the session's other method types; empty when there is one type. */
const typeLinks = ({ payment_method_types: types }: CheckoutSession, selected: MethodType): Markup =>
  types.length < 2
    ? html``
    : html`<nav aria-label="Payment method">${types.map((type) => html`<a href="?type=${type}"${type === selected ? html` aria-current="page"` : ''}>${TYPE_LABELS[type as MethodType]}</a>`)}</nav>`

/** A labelled input with this value. */
const fieldMarkup = ({ name, label, type = 'text', hint, autocomplete = 'off' }: Field, value: string): Markup =>
  html`<label>${label}<input name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" required>${hint === undefined ? '' : html`<small>${hint}</small>`}</label>`

/** The submitted form as API parameters, and whether the customer agreed to the mandate. */
export const parseCheckoutForm = (body: string): { readonly form: Form; readonly hasAgreed: boolean } => {
  const { agreed, ...form } = parseForm(body)
  return { form, hasAgreed: agreed === 'yes' || form['type'] === 'card' }
}
