import { html, type Markup } from '../../http/html.ts'
import { pageOf } from '../../kit/hosted-page.ts'

/** The options in the address of the page; any other is ignored. */
export type PageOptions = Readonly<Record<string, string | undefined>>

/** The HTML page with the fields for a card, for a frame in a shop's page; the options choose fields, labels and styles. */
export const fieldsPage = (options: PageOptions): string => {
  const isEnabled = (name: string) => options[name] === '1' || options[name] === 'true'
  const head = { company: 'Moneris', title: 'Card details', stylesheet: 'hosted-fields.css', script: 'hosted-fields.browser.js' }
  return pageOf(
    head,
    html`<body style="${options['css_body'] ?? ''}">
<form autocomplete="on" data-id="${options['id'] ?? ''}" data-answers="${options['pmmsg'] ?? ''}"${isEnabled('display_labels') ? html`` : html` class="unlabelled"`}>
${field(options, { name: 'pan', label: 'Card number', autocomplete: 'cc-number', maxLength: 24 })}
${isEnabled('enable_exp') ? field(options, { name: 'exp', label: 'Expiry date (MMYY)', autocomplete: 'cc-exp', maxLength: 5 }) : ''}
${isEnabled('enable_cvd') ? field(options, { name: 'cvd', label: 'CVD', autocomplete: 'cc-csc', maxLength: 4 }) : ''}
</form>
</body>`,
  )
}

interface Field {
  readonly name: 'pan' | 'exp' | 'cvd'
  readonly label: string
  readonly autocomplete: string
  readonly maxLength: number
}

/** A labelled input with the options' label and style. */
const field = (options: PageOptions, { name, label, autocomplete, maxLength }: Field): Markup => {
  const style = [options['css_textbox'], options[`css_textbox_${name}`]].filter((css) => css !== undefined).join(';')
  return html`<label><span>${options[`${name}_label`] ?? label}</span><input name="${name}" inputmode="numeric" autocomplete="${autocomplete}" maxlength="${maxLength}" style="${style}"></label>`
}
