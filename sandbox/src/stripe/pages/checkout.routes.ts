import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../http/html.ts'
import { sendHostedPage } from '../../kit/hosted-page.ts'
import { checkoutForm, selectedType, parseCheckoutForm, type RejectedForm } from './checkout-form.ts'
import { type CheckoutSession, completeSession, currentSession } from '../objects/checkout-sessions.ts'
import { parseForm } from '../api/form.ts'
import type { Stripe } from '../stripe.ts'
import { notFound, StripeError } from '../api/stripe-error.ts'
import type { StripeSession } from '../store/stripe-session.ts'

const PAGE = { company: 'Stripe', title: 'Save a bank account' }

type SessionRequest = FastifyRequest<{ Params: { session: string } }>

/** Registers Checkout's page, on which a customer saves a bank account and returns to the portal. */
export const checkoutRoutes = (app: FastifyInstance, stripe: Stripe): void => {
  app.get('/c/pay/:session', async (request: SessionRequest, reply) => sendCheckoutPage(stripe, request, reply))

  app.post('/c/pay/:session', async (request: SessionRequest, reply) => {
    const { sandbox, session } = loadSession(stripe, request)
    if (session.status !== 'open') return sendCheckoutPage(stripe, request, reply)
    const body = String(request.body ?? '')
    const message = submitForm(sandbox, session, body)
    await stripe.webhooks.sendAround(reply, sandbox)
    if (message !== undefined) return sendCheckoutPage(stripe, request, reply, { message, values: body })
    return reply.redirect(session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id), 303)
  })
}

/** The Checkout session of the URL path's id, in whatever account has it. @throws StripeError when there is none */
const loadSession = (stripe: Stripe, request: SessionRequest): { readonly sandbox: StripeSession; readonly session: CheckoutSession } => {
  const { session: id } = request.params
  const account = stripe.findInAnyAccount('checkout.session', id)?.account
  if (account === undefined) throw notFound('checkout.session', id)
  const sandbox = stripe.openSession(account, { baseUrl: `${request.protocol}://${request.host}/stripe` })
  return { sandbox, session: currentSession(sandbox, id) }
}

/** Sends the form of an open session, with status 422 after a rejected one, else the page that says how the session ended. */
const sendCheckoutPage = (stripe: Stripe, request: SessionRequest, reply: FastifyReply, rejected?: RejectedForm): FastifyReply => {
  const { session } = loadSession(stripe, request)
  if (session.status !== 'open')
    return sendHostedPage(reply, {
      ...PAGE,
      content: html`<p>${session.status === 'complete' ? 'You’re all done here: the account is saved.' : 'This page has expired. Go back and start again.'}</p>`,
    })
  const type = selectedType(session, parseForm(request.url.split('?')[1] ?? ''))
  return sendHostedPage(reply, { ...PAGE, content: checkoutForm(session, type, rejected), status: rejected === undefined ? 200 : 422 })
}

/** Saves the account that the form describes. Returns the error message when the form is rejected, undefined when it is saved. */
const submitForm = (sandbox: StripeSession, session: CheckoutSession, body: string): string | undefined => {
  const { form, hasAgreed } = parseCheckoutForm(body)
  if (!hasAgreed) return 'Tick the box to allow the debit.'
  try {
    completeSession(sandbox, session, form)
    return undefined
  } catch (error) {
    if (error instanceof StripeError) return error.message
    throw error
  }
}
