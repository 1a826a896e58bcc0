import { html, type Markup } from '../http/html.ts'
import { ACCOUNT_PASSWORD, ACCOUNTS } from './accounts.ts'

/** The identity providers' accounts, for the sandbox's page. */
export const identitySection =
  (): Markup => html`<section id="identity" aria-labelledby="identity-title"><h2 id="identity-title">Single sign-on</h2>
<p class="lead">Two identity providers of the organization Orbit Group: OpenID Connect at <code>/oidc</code> (company <code>orbit</code> in the portal) and SAML 2.0 at <a href="/saml/metadata"><code>/saml/metadata</code></a> (<code>orbit-saml</code>). The password of every account is <code>${ACCOUNT_PASSWORD}</code>.</p>
<table><thead><tr><th scope="col">Work email</th><th scope="col">Name</th><th scope="col">Who this is</th></tr></thead><tbody>${ACCOUNTS.map(
    ({ username, name, description }) =>
      html`<tr><td data-label="Work email"><code>${username}</code></td><td data-label="Name">${name}</td><td data-label="Who this is">${description}</td></tr>`,
  )}</tbody></table>
<p class="empty">The OpenID provider remembers who is signed in: <a href="/oidc/session/end">sign out there</a>.</p></section>`
