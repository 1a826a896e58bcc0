import { html, type Markup } from '../http/html.ts'
import { ACCOUNT_PASSWORD, ACCOUNTS } from './accounts.ts'

/** Who has an account at the identity providers, for the sandbox's page. */
export const identitySection =
  (): Markup => html`<section id="identity" aria-labelledby="identity-title"><h2 id="identity-title">Single sign-on</h2>
<p class="lead">Two identity providers of the company Orbit Group: OpenID Connect at <code>/oidc</code> (the company <code>orbit</code> in the portal) and SAML 2.0 at <a href="/saml/metadata"><code>/saml/metadata</code></a> (<code>orbit-saml</code>). Everybody’s password there is <code>${ACCOUNT_PASSWORD}</code>.</p>
<table><thead><tr><th scope="col">Work email</th><th scope="col">Name</th><th scope="col">Who this is</th></tr></thead><tbody>${ACCOUNTS.map(
    ({ username, name, what }) =>
      html`<tr><td data-label="Work email"><code>${username}</code></td><td data-label="Name">${name}</td><td data-label="Who this is">${what}</td></tr>`,
  )}</tbody></table>
<p class="empty">The OpenID provider remembers who is signed in: <a href="/oidc/session/end">sign out there</a>.</p></section>`
