import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/html.ts'
import { emptyForm, formOf } from '../api/form.ts'
import { showPage } from './hosted-page.ts'
import { mustKnowSecret } from '../objects/intents.ts'
import { text } from '../api/params.ts'
import { depositsVerified, type SetupIntent } from '../objects/setup-intents.ts'
import type { Stripe } from '../stripe.ts'
import { missing, StripeError } from '../api/stripe-error.ts'
import type { Work } from '../store/sandbox-session.ts'

const TITLE = 'Verify your bank account'
const PATH = '/microdeposit/:secret'

type WithSecret = FastifyRequest<{ Params: { secret: string } }>

/** The page on which the owner of an American account names the two small deposits that arrived. */
export const microdepositRoutes = (app: FastifyInstance, stripe: Stripe): void => {
  app.get(PATH, async (request: WithSecret, reply) => showPage(reply, TITLE, content(waiting(stripe, request).intent)))

  app.post(PATH, async (request: WithSecret, reply) => {
    const { work, intent } = waiting(stripe, request)
    const said = formOf(String(request.body ?? ''))
    const refusal = refusalOf(() => depositsVerified(work, { amounts: [text(said, 'first') ?? '', text(said, 'second') ?? ''] }, intent))
    const batch = stripe.notices.prepare(work)
    await stripe.notices.beforeAnswer(batch)
    reply.raw.once('close', () => void stripe.notices.afterAnswer(batch))
    return showPage(reply, TITLE, content(waiting(stripe, request).intent, refusal), refusal === undefined ? 200 : 422)
  })
}

const waiting = (stripe: Stripe, request: WithSecret): { readonly work: Work; readonly intent: SetupIntent } => {
  const { secret } = request.params
  const id = secret.split('_secret_')[0] ?? ''
  const account = stripe.accountWith('setup_intent', id)
  if (account === undefined) throw missing('setup_intent', id)
  const work = stripe.work(account)
  const intent = work.get<SetupIntent>('setup_intent', id)
  mustKnowSecret(intent, Object.assign(emptyForm(), { client_secret: secret }), false)
  return { work, intent }
}

const refusalOf = (act: () => unknown): string | undefined => {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof StripeError) return error.message
    throw error
  }
}

const content = (intent: SetupIntent, refusal?: string): Markup => {
  if (intent.next_action?.type !== 'verify_with_microdeposits')
    return html`${refusal === undefined ? '' : html`<p role="alert">${refusal}</p>`}<p>${intent.status === 'succeeded' ? 'Your bank account is verified.' : 'Nothing is left to verify here.'}</p>`
  return html`<p>Two small deposits arrived in your account. How much were they, in cents?</p>${refusal === undefined ? '' : html`<p role="alert">${refusal}</p>`}
<form method="post"><label>First deposit<input name="first" inputmode="numeric" required><small>Test: 32</small></label>
<label>Second deposit<input name="second" inputmode="numeric" required><small>Test: 45</small></label><button>Verify</button></form>`
}
