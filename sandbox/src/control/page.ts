import type { PendingFault } from '../faults/faults.ts'
import { html, type Markup } from '../http/html.ts'
import type { LedgerEntry } from '../ledger/ledger.ts'
import type { NumberedMail } from '../mail/mailbox.ts'
import { identitySection } from '../identity/identity-section.ts'
import { controls } from './controls-section.ts'

const MAX_SHOWN_MAILS = 50
const MAX_SHOWN_ENTRIES = 200

export interface PageContents {
  /** The sandbox's URL as the reader opened it, for the commands on the page. */
  readonly baseUrl: string
  /** Newest first. */
  readonly mails: readonly NumberedMail[]
  /** Oldest first. */
  readonly entries: readonly LedgerEntry[]
  readonly faults: readonly PendingFault[]
}

/**
 * The HTML of the sandbox's page: the newest messages and ledger entries, the pending faults, the accounts for sign-on, and the control
 * calls.
 */
export const page = ({ baseUrl, mails, entries, faults }: PageContents): string =>
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
<div class="bar"><h1>Sandbox</h1><nav aria-label="On this page"><a href="#mail">Mail</a><a href="#ledger">Ledger</a><a href="#identity">Sign-on</a><a href="#controls">Controls</a></nav><a class="refresh" href="/">Refresh</a></div>
</header>
<main>
<p class="lead">This sandbox stands in for the outside world. Mail sent here is listed below and delivered to nobody, and no real money moves.</p>
${section('mail', 'Mail', mails.length, mailList(mails))}
${section('ledger', 'Ledger', entries.length, ledgerTable(entries))}
${section('faults', 'Pending faults', faults.length, faultTable(faults))}
${identitySection()}
<section id="controls" aria-labelledby="controls-title"><h2 id="controls-title">Controls</h2>${controls(baseUrl)}</section>
</main>
</body>
</html>
`.toString()

/** A section of the page whose heading shows a count. */
const section = (id: string, title: string, count: number, content: Markup): Markup =>
  html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title} <span class="count">${count}</span></h2>${content}</section>`

/**
 * The newest MAX_SHOWN_MAILS messages, each one to unfold, and a sentence where older ones are left out. Where there is none, a sentence
 * that says so.
 */
const mailList = (mails: readonly NumberedMail[]): Markup => {
  if (mails.length === 0) return html`<p class="empty">No mail yet. Request a new password in the portal, for instance, and refresh.</p>`
  const more =
    mails.length > MAX_SHOWN_MAILS ? html`<p class="empty">The newest ${MAX_SHOWN_MAILS} are shown; GET /mail gives all.</p>` : ''
  return html`<div class="mails">${mails.slice(0, MAX_SHOWN_MAILS).map(mailItem)}</div>${more}`
}

/** A message to unfold: its plain text with links, and its HTML in a frame without scripts. The first one is open. */
const mailItem = ({ number, to, subject, text, html: body, at }: NumberedMail, index: number): Markup => {
  const title = subject === '' ? '(no subject)' : subject
  const frame =
    body === ''
      ? ''
      : html`<iframe src="/mail/${number}/html" title="${title}, as HTML" loading="lazy" referrerpolicy="no-referrer" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
  const plain = text === '' ? html`<p class="empty">This message has no plain text part.</p>` : html`<pre>${withLinks(text)}</pre>`
  return html`<details${index === 0 ? html` open` : ''}><summary><span class="subject">${title}</span><span class="to">${to}</span>${timeMarkup(at)}</summary>${plain}${frame}</details>`
}

const URL_PATTERN = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/

/** The text with its URLs as links; `split` puts the URLs at the odd indexes. */
const withLinks = (text: string): Markup[] =>
  text
    .split(URL_PATTERN)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}" target="_blank" rel="noreferrer">${piece}</a>` : html`${piece}`))

/** The newest MAX_SHOWN_ENTRIES entries as a table, newest first, or a sentence without any. */
const ledgerTable = (entries: readonly LedgerEntry[]): Markup => {
  if (entries.length === 0) return html`<p class="empty">No entries yet.</p>`
  const more =
    entries.length > MAX_SHOWN_ENTRIES ? html`<p class="empty">The newest ${MAX_SHOWN_ENTRIES} are shown; GET /ledger gives all.</p>` : ''
  const rows = entries.slice(-MAX_SHOWN_ENTRIES).toReversed()
  return html`<table><thead><tr><th scope="col">When</th><th scope="col">Provider</th><th scope="col">Id</th><th scope="col">Reference</th><th scope="col">Method</th><th scope="col">Status</th><th scope="col" class="number">Amount</th></tr></thead><tbody>${rows.map(ledgerRow)}</tbody></table>${more}`
}

const ledgerRow = ({ provider, id, reference, amount, currency, status, method, at }: LedgerEntry): Markup =>
  html`<tr><td data-label="When">${timeMarkup(at)}</td><td data-label="Provider">${provider}</td><td data-label="Id"><code>${id}</code></td><td data-label="Reference"><code>${reference}</code></td><td data-label="Method">${method}</td><td data-label="Status"><span class="status ${status}">${status}</span></td><td data-label="Amount" class="number">${formatAmount(amount, currency)}</td></tr>`

/** The pending faults as a table, or a sentence without any. */
const faultTable = (faults: readonly PendingFault[]): Markup => {
  if (faults.length === 0) return html`<p class="empty">No pending faults.</p>`
  return html`<table><thead><tr><th scope="col">Provider</th><th scope="col">Operation</th><th scope="col">Kind</th><th scope="col" class="number">Times left</th></tr></thead><tbody>${faults.map(faultRow)}</tbody></table>`
}

const faultRow = ({ provider, operation, kind, times }: PendingFault): Markup =>
  html`<tr><td data-label="Provider">${provider}</td><td data-label="Operation"><code>${operation}</code></td><td data-label="Kind">${kind}</td><td data-label="Times left" class="number">${times}</td></tr>`

/** An ISO time as `2026-01-31 12:00:00 UTC`. */
const timeMarkup = (at: string): Markup => html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time>`

/** Minor units as `AUD 1,234.50`; formatted from text, so that no amount is rounded. */
const formatAmount = (amount: number, currency: string): string => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(`${amount}e-${digits}` as Intl.StringNumericLiteral)
}
