import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/html.ts'
import { authenticationForm, sendHostedPage } from '../../kit/hosted-page.ts'
import { accountOfKey } from '../api/api-keys.ts'
import { type Form, parseForm } from '../api/form.ts'
import { requireClientSecret, type NextAction } from '../objects/intents.ts'
import { urlParam, stringParam } from '../api/params.ts'
import type { PaymentIntent } from '../objects/payment-intent.ts'
import { finishPaymentAuthentication } from '../objects/confirm-payment.ts'
import { finishSetupAuthentication, type SetupIntent } from '../objects/setup-intents.ts'
import type { Stripe } from '../stripe.ts'
import { notFound } from '../api/stripe-error.ts'
import type { StripeSession } from '../store/stripe-session.ts'

const PATH = '/3d_secure_2/hosted'

type WaitingIntent = PaymentIntent | SetupIntent

/** Registers the bank's 3-D Secure page, on which the customer completes or fails the authentication, and then returns to the merchant. */
export const authenticationRoutes = (app: FastifyInstance, stripe: Stripe): void => {
  app.get(PATH, async (request, reply) => {
    const { form, intent } = loadIntent(stripe, request)
    return sendBankPage(reply, intent.status === 'requires_action' ? authenticationForm(purposeText(intent)) : resultContent(intent, form))
  })

  app.post(PATH, async (request, reply) => {
    const { sandbox, form, intent } = loadIntent(stripe, request)
    const isAuthenticated = stringParam(parseForm(String(request.body ?? '')), 'outcome') === 'complete'
    const returnUrl = returnUrlOf(intent.next_action)
    const after = intent.status === 'requires_action' ? finishAuthentication(sandbox, intent, isAuthenticated) : intent
    await stripe.webhooks.sendAround(reply, sandbox)
    if (stringParam(form, 'frame') === '1' || returnUrl === undefined) return sendBankPage(reply, resultContent(after, form))
    return reply.redirect(withResultParams(returnUrl, after, isAuthenticated), 303)
  })
}

interface PageRequest {
  readonly sandbox: StripeSession
  readonly form: Form
  readonly intent: WaitingIntent
}

/**
 * The intent that the URL's query names, in a session of the account of its publishable key.
 * @throws StripeError when there is none, or the client secret is wrong
 */
const loadIntent = (stripe: Stripe, request: FastifyRequest): PageRequest => {
  const form = parseForm(request.url.split('?')[1] ?? '')
  const sandbox = stripe.openSession(accountOfKey(stringParam(form, 'publishable_key') ?? ''), {
    baseUrl: `${request.protocol}://${request.host}/stripe`,
  })
  const [payment, setup] = [stringParam(form, 'payment_intent'), stringParam(form, 'setup_intent')]
  const intent =
    payment === undefined ? sandbox.find<SetupIntent>('setup_intent', setup ?? '') : sandbox.find<PaymentIntent>('payment_intent', payment)
  if (intent === undefined) throw notFound('intent', payment ?? setup ?? '')
  requireClientSecret(intent, { client_secret: stringParam(form, `${intent.object}_client_secret`) ?? '' }, false)
  return { sandbox, form, intent }
}

/** Charges or saves the card, or stores that the authentication failed. */
const finishAuthentication = (sandbox: StripeSession, intent: WaitingIntent, isAuthenticated: boolean): WaitingIntent =>
  intent.object === 'payment_intent'
    ? finishPaymentAuthentication(sandbox, intent, isAuthenticated)
    : finishSetupAuthentication(sandbox, intent, isAuthenticated)

/** Sends a page of the bank with this content. */
const sendBankPage = (reply: FastifyReply, content: Markup): FastifyReply =>
  sendHostedPage(reply, { company: 'Stripe', title: '3D Secure 2 Test Page', content })

/** The sentence that tells the customer what the card is used for. */
const purposeText = (intent: WaitingIntent): string =>
  intent.object === 'payment_intent'
    ? `A payment of ${formatAmount(intent)} is to be made with this card.`
    : 'This card is to be saved for later payments.'

/** The amount as `AUD 1,234.50`, with the currency's number of decimals. */
const formatAmount = ({ amount, currency }: PaymentIntent): string => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** The page's content when nothing is left to decide: a link back, or in a frame the script that tells Stripe.js. */
const resultContent = (intent: WaitingIntent, form: Form): Markup => {
  if (stringParam(form, 'frame') === '1') return html`<p>One moment…</p><script src="/stripe/v3/authenticated.browser.js"></script>`
  const returnUrl = urlParam(form, 'return_url')
  const text = html`<p>Nothing is left to do here: the ${intent.object.replace('_', ' ')} is ${intent.status.replaceAll('_', ' ')}.</p>`
  return returnUrl === undefined ? text : html`${text}<a class="button" href="${withResultParams(returnUrl, intent, true)}">Go back</a>`
}

/** The return URL of an action that redirects; undefined for any other. */
const returnUrlOf = (action: NextAction | null): string | undefined =>
  action?.type === 'redirect_to_url' ? (action['redirect_to_url'] as { return_url?: string }).return_url : undefined

/** The return URL with its own query and Stripe's result parameters. */
const withResultParams = (returnUrl: string, intent: WaitingIntent, isAuthenticated: boolean): string => {
  const url = new URL(returnUrl)
  url.searchParams.set(intent.object, intent.id)
  url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret)
  url.searchParams.set('redirect_status', isAuthenticated && intent.status !== 'requires_payment_method' ? 'succeeded' : 'failed')
  url.searchParams.set('source_type', 'card')
  return url.href
}
