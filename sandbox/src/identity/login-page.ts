import { ACCOUNTS, ACCOUNT_PASSWORD } from './accounts.ts'
import { html, type Markup } from '../http/html.ts'

/** Without `form-action`, because a submitted form may redirect to the portal, whose address is not known here. */
export const IDENTITY_CSP =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'"

export interface LoginPage {
  /** The URL that the form is posted to. */
  readonly action: string
  readonly hiddenFields?: Readonly<Record<string, string>>
  /** What was entered, when it was wrong. */
  readonly failedAttempt?: { readonly username: string }
}

/** The HTML of the identity provider's sign-in form, with an alert after a failed attempt and the accounts as a hint. */
export const loginPage = ({ action, hiddenFields = {}, failedAttempt }: LoginPage): string =>
  identityPage(
    'Sign in to Orbit Group',
    html`<h1>Sign in to Orbit Group</h1>
<p>The sandbox’s identity provider: what your company’s own sign-in page would be.</p>
<form method="post" action="${action}">
${failedAttempt === undefined ? '' : html`<p role="alert">The user name or the password is wrong.</p>`}
${Object.entries(hiddenFields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label for="username">Work email</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${failedAttempt?.username ?? ''}">
<label for="password">Work password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<div class="buttons"><button type="submit" name="do" value="sign-in">Continue</button><button type="submit" name="do" value="cancel" formnovalidate class="quiet">Cancel</button></div>
</form>
<p class="hint">Accounts here: ${ACCOUNTS.map(({ username }, at) => html`${at === 0 ? '' : ', '}<code>${username}</code>`)}. Password: <code>${ACCOUNT_PASSWORD}</code></p>`,
  )

/** The HTML of a page that posts its form to `address` by itself, or with a button where scripts are disabled. */
export const autoSubmitPage = (address: string, fields: Readonly<Record<string, string>>): string =>
  identityPage(
    'Back to the portal',
    html`<h1>You are signed in</h1>
<form method="post" action="${address}" id="onward">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit">Go on to the portal</button>
</form>
<script src="/saml/onward.js"></script>`,
  )

/** The HTML of a page with an error message. */
export const errorPage = (message: string): string =>
  identityPage('This did not work', html`<h1>This did not work</h1><p role="alert">${message}</p>`)

/** The HTML document of a page of the identity provider. */
const identityPage = (title: string, content: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/identity.css">
</head>
<body><main>${content}</main></body>
</html>
`.toString()
