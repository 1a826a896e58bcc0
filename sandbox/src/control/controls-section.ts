import { CALL_FAULTS, WEBHOOK_FAULTS } from '../faults/faults.ts'
import { html, type Markup } from '../http/html.ts'
import { PROVIDERS } from '../providers.ts'
import { OUTCOMES } from '../ledger/settlements.ts'

/** What POST /faults, /settle and /reset do, each with a command to copy; `address` is the sandbox's own. */
export const switches = (address: string): Markup => html`<div class="switches">
<article>
<h3>Let a provider misbehave</h3>
<p><code>POST /faults</code>: the next <code>times</code> calls of that operation go wrong.</p>
${command(address, 'faults', { provider: 'stripe', operation: 'charge', kind: 'decline', times: 1 })}
<dl>
<div><dt>provider</dt><dd>${names(PROVIDERS)}</dd></div>
<div><dt>kind</dt><dd>${names(CALL_FAULTS)}</dd></div>
<div><dt>kind, for the operation <code>webhook</code></dt><dd>${names(WEBHOOK_FAULTS)}</dd></div>
<div><dt>ms</dt><dd>how long <code>slow</code> and <code>late</code> wait; 45000 unless you say so</dd></div>
<div><dt>booked</dt><dd>whether the money moves all the same; it does for <code>drop</code> and <code>slow</code> unless you say so</dd></div>
</dl>
</article>
<article>
<h3>Settle a debit</h3>
<p><code>POST /settle</code>: a debit that waits settles or fails, or one that had settled comes back; the provider’s notice is sent.</p>
${command(address, 'settle', { provider: 'stripe', id: 'the debit’s id', outcome: 'succeeded' })}
<dl><div><dt>outcome</dt><dd>${names(OUTCOMES)}</dd></div></dl>
</article>
<article>
<h3>Begin again</h3>
<p><code>POST /reset</code> empties mail, ledger and faults.</p>
<pre>curl -X POST ${address}/reset</pre>
</article>
<article>
<h3>Read it from a program</h3>
<p><a href="/mail"><code>GET /mail</code></a> gives the messages, newest first, and <a href="/ledger"><code>GET /ledger</code></a> what was booked, in minor units; both as JSON.</p>
</article>
</div>`

const command = (address: string, call: string, body: Readonly<Record<string, string | number>>): Markup =>
  html`<pre>curl ${address}/${call} \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify(body)}'</pre>`

const names = (words: readonly string[]): Markup =>
  html`${words.map((word, index) => html`${index === 0 ? '' : ', '}<code>${word}</code>`)}`
