import type { StandingFault } from '../faults/faults.ts'
import { html, type Markup } from '../http/html.ts'
import type { LedgerEntry } from '../ledger/ledger.ts'
import type { NumberedMail } from '../mail/mailbox.ts'
import { identitySection } from '../identity/identity-section.ts'
import { switches } from './controls-section.ts'

const SHOWN_MAILS = 50
const SHOWN_ENTRIES = 200

export interface PageContents {
  /** The address the reader came by, for the commands on the page. */
  readonly address: string
  /** Newest first. */
  readonly mails: readonly NumberedMail[]
  /** Oldest first. */
  readonly entries: readonly LedgerEntry[]
  readonly faults: readonly StandingFault[]
}

/** The page for people: the newest 50 messages, the newest 200 ledger entries, the faults that wait, and how to set the switches. */
export const page = ({ address, mails, entries, faults }: PageContents): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
</head>
<body>
<header>
<div class="bar"><h1>Sandbox</h1><nav aria-label="On this page"><a href="#mail">Mail</a><a href="#ledger">Ledger</a><a href="#identity">Sign-on</a><a href="#switches">Switches</a></nav><a class="refresh" href="/">Refresh</a></div>
</header>
<main>
<p class="lead">The outside world, as far as this machine goes: mail sent here is read below and delivered to nobody, and money that moves here is not money.</p>
${section('mail', 'Mail', mails.length, mailList(mails))}
${section('ledger', 'Ledger', entries.length, ledgerTable(entries))}
${section('faults', 'Faults that wait to happen', faults.length, faultTable(faults))}
${identitySection()}
<section id="switches" aria-labelledby="switches-title"><h2 id="switches-title">Switches</h2>${switches(address)}</section>
</main>
</body>
</html>
`.toString()

const section = (id: string, title: string, count: number, content: Markup): Markup =>
  html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title} <span class="count">${count}</span></h2>${content}</section>`

const mailList = (mails: readonly NumberedMail[]): Markup => {
  if (mails.length === 0) return html`<p class="empty">No mail yet. Ask for a new password in the portal, for instance, and refresh.</p>`
  const more = mails.length > SHOWN_MAILS ? html`<p class="empty">The newest ${SHOWN_MAILS} are shown; GET /mail gives all.</p>` : ''
  return html`<div class="mails">${mails.slice(0, SHOWN_MAILS).map(mailItem)}</div>${more}`
}

const mailItem = ({ number, to, subject, text, html: body, at }: NumberedMail, index: number): Markup => {
  const title = subject === '' ? '(no subject)' : subject
  const frame =
    body === ''
      ? ''
      : html`<iframe src="/mail/${number}/html" title="${title}, as HTML" loading="lazy" referrerpolicy="no-referrer" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
  const plain = text === '' ? html`<p class="empty">This message has no plain text.</p>` : html`<pre>${linked(text)}</pre>`
  return html`<details${index === 0 ? html` open` : ''}><summary><span class="subject">${title}</span><span class="to">${to}</span>${instant(at)}</summary>${plain}${frame}</details>`
}

const ADDRESS = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/

/** The text with its web addresses as links; the odd pieces of the split are the addresses. */
const linked = (text: string): Markup[] =>
  text
    .split(ADDRESS)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}" target="_blank" rel="noreferrer">${piece}</a>` : html`${piece}`))

const ledgerTable = (entries: readonly LedgerEntry[]): Markup => {
  if (entries.length === 0) return html`<p class="empty">Nothing has been booked.</p>`
  const more =
    entries.length > SHOWN_ENTRIES ? html`<p class="empty">The newest ${SHOWN_ENTRIES} are shown; GET /ledger gives all.</p>` : ''
  const rows = entries.slice(-SHOWN_ENTRIES).toReversed()
  return html`<table><thead><tr><th scope="col">When</th><th scope="col">Provider</th><th scope="col">Id</th><th scope="col">Reference</th><th scope="col">Method</th><th scope="col">Status</th><th scope="col" class="number">Amount</th></tr></thead><tbody>${rows.map(ledgerRow)}</tbody></table>${more}`
}

const ledgerRow = ({ provider, id, reference, amount, currency, status, method, at }: LedgerEntry): Markup =>
  html`<tr><td data-label="When">${instant(at)}</td><td data-label="Provider">${provider}</td><td data-label="Id"><code>${id}</code></td><td data-label="Reference"><code>${reference}</code></td><td data-label="Method">${method}</td><td data-label="Status"><span class="status ${status}">${status}</span></td><td data-label="Amount" class="number">${amountText(amount, currency)}</td></tr>`

const faultTable = (faults: readonly StandingFault[]): Markup => {
  if (faults.length === 0) return html`<p class="empty">Every call behaves.</p>`
  return html`<table><thead><tr><th scope="col">Provider</th><th scope="col">Operation</th><th scope="col">Kind</th><th scope="col" class="number">Times left</th></tr></thead><tbody>${faults.map(faultRow)}</tbody></table>`
}

const faultRow = ({ provider, operation, kind, times }: StandingFault): Markup =>
  html`<tr><td data-label="Provider">${provider}</td><td data-label="Operation"><code>${operation}</code></td><td data-label="Kind">${kind}</td><td data-label="Times left" class="number">${times}</td></tr>`

const instant = (at: string): Markup => html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time>`

/** Minor units as `AUD 1,234.50`; the digits come from text, so that no amount is rounded. */
const amountText = (amount: number, currency: string): string => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(`${amount}e-${digits}` as Intl.StringNumericLiteral)
}
