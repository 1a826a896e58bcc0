import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../http/html.ts'
import { checkoutForm, chosenType, filledIn, type Refused } from './checkout-form.ts'
import { type CheckoutSession, completeSession, sessionNow } from '../objects/checkout-sessions.ts'
import { formOf } from '../api/form.ts'
import { showPage } from './hosted-page.ts'
import type { Stripe } from '../stripe.ts'
import { missing, StripeError } from '../api/stripe-error.ts'
import type { Work } from '../store/sandbox-session.ts'

const TITLE = 'Save a bank account'

type WithSession = FastifyRequest<{ Params: { session: string } }>

/** Checkout's page, where a customer saves a bank account and goes back to the portal. */
export const checkoutRoutes = (app: FastifyInstance, stripe: Stripe): void => {
  app.get('/c/pay/:session', async (request: WithSession, reply) => shown(stripe, request, reply))

  app.post('/c/pay/:session', async (request: WithSession, reply) => {
    const { work, session } = opened(stripe, request)
    if (session.status !== 'open') return shown(stripe, request, reply)
    const typed = String(request.body ?? '')
    const message = refusalOf(work, session, typed)
    const batch = stripe.notices.prepare(work)
    await stripe.notices.beforeAnswer(batch)
    reply.raw.once('close', () => void stripe.notices.afterAnswer(batch))
    if (message !== undefined) return shown(stripe, request, reply, { message, typed })
    return reply.redirect(session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id), 303)
  })
}

const opened = (stripe: Stripe, request: WithSession): { readonly work: Work; readonly session: CheckoutSession } => {
  const { session: id } = request.params
  const account = stripe.accountWith('checkout.session', id)
  if (account === undefined) throw missing('checkout.session', id)
  const work = stripe.work(account, `${request.protocol}://${request.host}/stripe`)
  return { work, session: sessionNow(work, id) }
}

const shown = (stripe: Stripe, request: WithSession, reply: FastifyReply, refused?: Refused): FastifyReply => {
  const { session } = opened(stripe, request)
  if (session.status !== 'open')
    return showPage(
      reply,
      TITLE,
      html`<p>${session.status === 'complete' ? 'You’re all done here: the account is saved.' : 'This page has expired. Go back and begin again.'}</p>`,
    )
  const type = chosenType(session, formOf(request.url.split('?')[1] ?? ''))
  return showPage(reply, TITLE, checkoutForm(session, type, refused), refused === undefined ? 200 : 422)
}

/** Saves what was filled in, or says why not. */
const refusalOf = (work: Work, session: CheckoutSession, typed: string): string | undefined => {
  const { form, agreed } = filledIn(typed)
  if (!agreed) return 'Tick the box to allow the debit.'
  try {
    completeSession(work, session, form)
    return undefined
  } catch (error) {
    if (error instanceof StripeError) return error.message
    throw error
  }
}
