import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/html.ts'
import { sendHostedPage } from '../../kit/hosted-page.ts'
import { emptyForm, parseForm } from '../api/form.ts'
import { requireClientSecret } from '../objects/intents.ts'
import { stringParam } from '../api/params.ts'
import { verifyMicrodeposits, type SetupIntent } from '../objects/setup-intents.ts'
import type { Stripe } from '../stripe.ts'
import { notFound, StripeError } from '../api/stripe-error.ts'
import type { StripeSession } from '../store/stripe-session.ts'

const PAGE = { company: 'Stripe', title: 'Verify your bank account' }
const PATH = '/microdeposit/:secret'

type SecretRequest = FastifyRequest<{ Params: { secret: string } }>

/** Registers the page on which the owner of a US bank account enters the two microdeposits. */
export const microdepositRoutes = (app: FastifyInstance, stripe: Stripe): void => {
  app.get(PATH, async (request: SecretRequest, reply) =>
    sendHostedPage(reply, { ...PAGE, content: pageContent(loadIntent(stripe, request).intent) }),
  )

  app.post(PATH, async (request: SecretRequest, reply) => {
    const { sandbox, intent } = loadIntent(stripe, request)
    const typed = parseForm(String(request.body ?? ''))
    const errorMessage = refusalMessageOf(() =>
      verifyMicrodeposits(sandbox, { amounts: [stringParam(typed, 'first') ?? '', stringParam(typed, 'second') ?? ''] }, intent),
    )
    await stripe.webhooks.sendAround(reply, sandbox)
    const content = pageContent(loadIntent(stripe, request).intent, errorMessage)
    return sendHostedPage(reply, { ...PAGE, content, status: errorMessage === undefined ? 200 : 422 })
  })
}

/**
 * The setup intent of the client secret in the URL path, in whatever account has it.
 * @throws StripeError when there is none, or the secret is wrong
 */
const loadIntent = (stripe: Stripe, request: SecretRequest): { readonly sandbox: StripeSession; readonly intent: SetupIntent } => {
  const { secret } = request.params
  const id = secret.split('_secret_')[0] ?? ''
  const account = stripe.findInAnyAccount('setup_intent', id)?.account
  if (account === undefined) throw notFound('setup_intent', id)
  const sandbox = stripe.openSession(account)
  const intent = sandbox.get<SetupIntent>('setup_intent', id)
  requireClientSecret(intent, Object.assign(emptyForm(), { client_secret: secret }), false)
  return { sandbox, intent }
}

/** The message with which Stripe refuses an action; undefined when the action is done. @throws every other error */
const refusalMessageOf = (action: () => unknown): string | undefined => {
  try {
    action()
    return undefined
  } catch (error) {
    if (error instanceof StripeError) return error.message
    throw error
  }
}

/** The form for the two amounts, or a sentence when nothing is left to verify. */
const pageContent = (intent: SetupIntent, errorMessage?: string): Markup => {
  if (intent.next_action?.type !== 'verify_with_microdeposits')
    return html`${errorMessage === undefined ? '' : html`<p role="alert">${errorMessage}</p>`}<p>${intent.status === 'succeeded' ? 'Your bank account is verified.' : 'Nothing is left to verify here.'}</p>`
  return html`<p>Two small deposits arrived in your account. How much were they, in cents?</p>${errorMessage === undefined ? '' : html`<p role="alert">${errorMessage}</p>`}
<form method="post"><label>First deposit<input name="first" inputmode="numeric" required><small>Test: 32</small></label>
<label>Second deposit<input name="second" inputmode="numeric" required><small>Test: 45</small></label><button>Verify</button></form>`
}
