import { createHash } from 'node:crypto'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/** An HTML document that shows the provider's page in a sandboxed iframe. The page keeps its origin, and cannot navigate the top window. */
export const frameDocument = (title: string, src: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body>` +
  `<iframe title="${escapeHtml(title)}" sandbox="allow-scripts allow-forms allow-same-origin" src="${escapeHtml(src)}"></iframe></body></html>`

const SCRIPT =
  'const{message,receipt,origin}=document.documentElement.dataset;if(receipt)parent.postMessage({receiptEmail:receipt},origin);parent.postMessage(message,origin)'

const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64')

/** A page in a frame, and its Content-Security-Policy. */
interface ReturnPage {
  readonly html: string
  readonly csp: string
}

/**
 * The last page of a frame: an empty page that posts `message` to the parent page at `origin`.
 * @param receiptEmail the receipt's address, which the parent page shows; empty without a receipt
 */
export const returnPage = (message: string, origin: string, receiptEmail = ''): ReturnPage => ({
  html: `<!doctype html><html lang="en" data-message="${escapeHtml(message)}" data-origin="${escapeHtml(origin)}" data-receipt="${escapeHtml(receiptEmail)}"><head><meta charset="utf-8"><title>Payment</title></head><body><script>${SCRIPT}</script></body></html>`,
  // Sandboxed, so that this origin never runs in the frame: the page is of no origin.
  csp: `sandbox allow-scripts; default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors ${origin}`,
})

const MAX_MESSAGE_LENGTH = 64

/** A text as a frame's message, cut to the length that the parent page reads. Nothing is escaped. */
export const toFrameMessage = (text: string): string =>
  text.length <= MAX_MESSAGE_LENGTH ? text : `${text.slice(0, MAX_MESSAGE_LENGTH - 1)}…`
