import { html, type Markup } from '../../http/html.ts'
import { pageOf } from '../../kit/hosted-page.ts'
import { hasField, PAGE_PARAMETERS, type PageRequest, requiresField } from './page-request.ts'

/** What was typed into the form. */
export type Typed = Readonly<Record<string, string | undefined>>

/** What is wrong with a field, by its name. */
export type FieldErrors = Readonly<Record<string, string>>

/** The HTML of a page of IPpay. */
const document = (title: string, content: Markup): string =>
  pageOf({ company: 'IPpay', title, stylesheet: 'hosted.css', script: 'hosted.browser.js' }, html`<body>${content}</body>`)

interface Field {
  readonly name: string
  readonly label: string
  readonly autocomplete: string
  readonly isRequired: boolean
  readonly isNumeric?: boolean
  readonly type?: string
}

/** A field of the form, required unless `more` says otherwise. */
const field = (name: string, label: string, autocomplete: string, more: Partial<Field> = {}): Field => ({
  name,
  label,
  autocomplete,
  isRequired: true,
  ...more,
})

const CARD_FIELDS: readonly Field[] = [
  field('CardNum', 'Card number', 'cc-number', { isNumeric: true }),
  field('Expiry', 'Expiry date (MM / YY)', 'cc-exp', { isNumeric: true }),
  field('CVV2', 'Security code', 'cc-csc', { isNumeric: true }),
]

const ACCOUNT_FIELDS: readonly Field[] = [
  field('ABA', 'Routing number', 'off', { isNumeric: true }),
  field('AccountNumber', 'Account number', 'off', { isNumeric: true }),
]

const ADDRESS_FIELDS = [
  ['BillingAddress', 'Address', 'address-line1'],
  ['BillingCity', 'City', 'address-level2'],
  ['BillingStateProv', 'State', 'address-level1'],
  ['BillingPostalCode', 'Zip', 'postal-code'],
  ['BillingCountry', 'Country', 'country'],
] as const

/** The fields of the form that the parameters ask for: those of a card or of an account, with name, email and address where wanted. */
export const fieldsOf = (request: PageRequest): readonly Field[] => [
  ...(hasField(request, 'name')
    ? [
        field('CardName', request.pay_type === 'CC' ? 'Cardholder' : 'Account holder', 'cc-name', {
          isRequired: requiresField(request, 'name'),
        }),
      ]
    : []),
  ...(request.pay_type === 'CC' ? CARD_FIELDS : ACCOUNT_FIELDS),
  ...(hasField(request, 'email')
    ? [field('Email', 'Email for the receipt', 'email', { isRequired: requiresField(request, 'email'), type: 'email' })]
    : []),
  ...(hasField(request, 'address')
    ? ADDRESS_FIELDS.map(([name, label, autocomplete]) =>
        field(name, label, autocomplete, { isRequired: requiresField(request, 'address') }),
      )
    : []),
]

/** The HTML of the form for a card or an account. What was typed stays, except the security code. */
export const formPage = (request: PageRequest, typed: Typed, errors: FieldErrors): string =>
  document(
    request.button,
    html`<form method="post" action="./" novalidate>
${PAGE_PARAMETERS.map((name) => html`<input type="hidden" name="${name}" value="${request[name]}">`)}
${fieldsOf(request).map((one) => fieldMarkup(one, typed, errors[one.name]))}
<button>${request.button}</button>
</form>`,
  )

/** A labelled input with what was typed and its error; the security code is always empty. */
const fieldMarkup = (
  { name, label, autocomplete, isRequired, isNumeric = false, type = 'text' }: Field,
  typed: Typed,
  error?: string,
): Markup =>
  html`<label><span>${label}</span><input name="${name}" type="${type}" autocomplete="${autocomplete}" value="${name === 'CVV2' ? '' : (typed[name] ?? '')}"${isNumeric ? html` inputmode="numeric"` : ''}${isRequired ? html` required` : ''}${error === undefined ? '' : html` aria-invalid="true" aria-describedby="${name}-error"`}></label>${error === undefined ? '' : html`<p class="error" id="${name}-error" role="alert">${error}</p>`}`

/** The HTML of a page that posts the outcome to the merchant's address at once. */
export const returnPage = (retUrl: string, fields: Readonly<Record<string, string>>): string =>
  document(
    'Please wait',
    html`<form method="post" action="${retUrl}" class="return">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>Continue</button>
</form>`,
  )

/** The HTML of a page with an error message. */
export const errorPage = (text: string): string => document('Error', html`<p class="error" role="alert">${text}</p>`)
