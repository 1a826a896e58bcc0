import { CALL_FAULTS, WEBHOOK_FAULTS } from '../faults/faults.ts'
import { html, type Markup } from '../http/html.ts'
import { PROVIDERS } from '../provider-names.ts'
import { SETTLEMENT_OUTCOMES } from '../ledger/settlements.ts'

/** What POST /faults, /settle and /reset do, each with a command to copy. */
export const controls = (baseUrl: string): Markup => html`<div class="controls">
<article>
<h3>Make a provider fail</h3>
<p><code>POST /faults</code>: the next <code>times</code> calls of that operation fail.</p>
${curlCommand(baseUrl, 'faults', { provider: PROVIDERS[0], operation: 'charge', kind: 'decline', times: 1 })}
<dl>
<div><dt>provider</dt><dd>${codeList(PROVIDERS)}</dd></div>
<div><dt>kind</dt><dd>${codeList(CALL_FAULTS)}</dd></div>
<div><dt>kind, for the operation <code>webhook</code></dt><dd>${codeList(WEBHOOK_FAULTS)}</dd></div>
<div><dt>ms</dt><dd>how long <code>slow</code> and <code>late</code> wait; default 45000</dd></div>
<div><dt>booked</dt><dd>whether the money moves all the same; default true for <code>drop</code> and <code>slow</code>, else false</dd></div>
</dl>
</article>
<article>
<h3>Settle a debit</h3>
<p><code>POST /settle</code>: a pending debit succeeds or fails, a settled one is returned, or a settled card payment is charged back and won again; the provider sends its webhook events.</p>
${curlCommand(baseUrl, 'settle', { provider: PROVIDERS[0], id: 'the debit’s id', outcome: 'succeeded' })}
<dl><div><dt>outcome</dt><dd>${codeList(SETTLEMENT_OUTCOMES)}</dd></div></dl>
</article>
<article>
<h3>Reset</h3>
<p><code>POST /reset</code> empties mail, ledger and faults.</p>
<pre>curl -X POST ${baseUrl}/reset</pre>
</article>
<article>
<h3>Read the data</h3>
<p><a href="/mail"><code>GET /mail</code></a> lists the messages, newest first, and <a href="/ledger"><code>GET /ledger</code></a> the entries, in minor units; both as JSON.</p>
</article>
</div>`

/** A `curl` command that posts the body to one of the sandbox's calls, for the reader to copy. */
const curlCommand = (baseUrl: string, call: string, body: Readonly<Record<string, string | number>>): Markup =>
  html`<pre>curl ${baseUrl}/${call} \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify(body)}'</pre>`

/** The words as code, with commas between. */
const codeList = (words: readonly string[]): Markup =>
  html`${words.map((word, index) => html`${index === 0 ? '' : ', '}<code>${word}</code>`)}`
