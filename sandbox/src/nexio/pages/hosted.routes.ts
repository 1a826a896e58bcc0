import type { FastifyInstance } from 'fastify'
import { html, type Markup } from '../../http/html.ts'
import { pageFiles, sendHostedPage } from '../../kit/hosted-page.ts'
import { tokenOf } from '../api/authentication.ts'
import { objectField, textField, toFields } from '../api/fields.ts'
import type { Nexio } from '../nexio.ts'
import type { OneTimeToken } from '../vault/one-time-tokens.ts'

interface HostedPage {
  readonly path: string
  readonly title: string
  /** The call below `/nexio/hosted` that the page makes. */
  readonly call: string
  /** The event that the page sends to the page around it. */
  readonly event: string
  readonly method: 'card' | 'bank'
}

const PAGES: readonly HostedPage[] = [
  { path: '/pay/v3', title: 'Pay by card', call: 'pay', event: 'processed', method: 'card' },
  { path: '/pay/v3/saveCard', title: 'Save a card', call: 'saveCard', event: 'cardSaved', method: 'card' },
  { path: '/pay/v3/saveECheck', title: 'Save a bank account', call: 'saveECheck', event: 'eCheckSaved', method: 'bank' },
  { path: '/pay/v3/processECheck', title: 'Pay by bank account', call: 'processECheck', event: 'processed', method: 'bank' },
]

/**
 * Registers the pages that a site frames instead of asking for a card or bank account itself, with their script. A page needs a
 * one-time-use token.
 */
export const hostedRoutes = (app: FastifyInstance, nexio: Nexio): void => {
  for (const page of PAGES)
    app.get(page.path, async (request, reply) => {
      const { token } = tokenOf(nexio, textField(toFields(request.query), 'token'))
      return sendHostedPage(reply, { company: 'Nexio', title: page.title, content: pageForm(page, token) })
    })
  pageFiles(app, import.meta.url, { 'hosted.browser.js': 'javascript' })
  app.get('/pay/v3/fingerprint', async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(''))
}

/** The form of a hosted page, which its script submits; the token's request chooses the button and the name. */
const pageForm = ({ call, event, method }: HostedPage, { id, request }: OneTimeToken): Markup => {
  const hasButton = objectField(request, 'uiOptions')['displaySubmitButton'] === true
  const holder = textField(objectField(request, 'card'), 'cardHolderName') ?? ''
  return html`<form data-call="/nexio/hosted/${call}?token=${encodeURIComponent(id)}" data-event="${event}" data-method="${method}" novalidate>
${method === 'card' ? cardFields(holder) : bankFields()}${hasButton ? html`<button>Submit</button>` : ''}
<p role="alert"></p></form><script src="/nexio/hosted.browser.js" type="module"></script>`
}

/** The inputs for a card. */
const cardFields = (holder: string): Markup =>
  html`<label>Name on card<input name="cardHolderName" autocomplete="cc-name" pattern=".*\\S.*" required value="${holder}"></label>
<label>Card number<input name="number" inputmode="numeric" autocomplete="cc-number" pattern="[0-9 ]{13,23}" required></label>
<label>Expiration month<input name="expirationMonth" inputmode="numeric" autocomplete="cc-exp-month" pattern="0?[1-9]|1[0-2]" required></label>
<label>Expiration year<input name="expirationYear" inputmode="numeric" autocomplete="cc-exp-year" pattern="(20)?[0-9]{2}" required></label>
<label>Security code<input name="securityCode" inputmode="numeric" autocomplete="cc-csc" pattern="[0-9]{3,4}" required></label>`

/** The inputs for a bank account. */
const bankFields = (): Markup =>
  html`<label>Name on account<input name="accountHolderName" autocomplete="name" pattern=".*\\S.*" required></label>
<label>Routing number<input name="routingNumber" inputmode="numeric" autocomplete="off" pattern="[0-9]{9}" required></label>
<label>Account number<input name="number" inputmode="numeric" autocomplete="off" pattern="[0-9]{4,17}" required></label>`
