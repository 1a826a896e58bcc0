import { html, type Markup } from '../../http/html.ts'

/** The options in the address of the page; any other is ignored. */
export type PageOptions = Readonly<Record<string, string | undefined>>

/** The page with the fields for a card, for a frame in a shop's page. */
export const fieldsPage = (options: PageOptions): string => {
  const isEnabled = (name: string) => options[name] === '1' || options[name] === 'true'
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Card details – Moneris sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="hosted-fields.css">
<script type="module" src="hosted-fields.browser.js"></script>
</head>
<body style="${options['css_body'] ?? ''}">
<form autocomplete="on" data-id="${options['id'] ?? ''}" data-answers="${options['pmmsg'] ?? ''}"${isEnabled('display_labels') ? html`` : html` class="unlabelled"`}>
${field(options, { name: 'pan', label: 'Card number', autocomplete: 'cc-number', maxLength: 24 })}
${isEnabled('enable_exp') ? field(options, { name: 'exp', label: 'Expiry date (MMYY)', autocomplete: 'cc-exp', maxLength: 5 }) : ''}
${isEnabled('enable_cvd') ? field(options, { name: 'cvd', label: 'CVD', autocomplete: 'cc-csc', maxLength: 4 }) : ''}
</form>
</body>
</html>
`.toString()
}

interface Field {
  readonly name: 'pan' | 'exp' | 'cvd'
  readonly label: string
  readonly autocomplete: string
  readonly maxLength: number
}

const field = (options: PageOptions, { name, label, autocomplete, maxLength }: Field): Markup => {
  const style = [options['css_textbox'], options[`css_textbox_${name}`]].filter((css) => css !== undefined).join(';')
  return html`<label><span>${options[`${name}_label`] ?? label}</span><input name="${name}" inputmode="numeric" autocomplete="${autocomplete}" maxlength="${maxLength}" style="${style}"></label>`
}
