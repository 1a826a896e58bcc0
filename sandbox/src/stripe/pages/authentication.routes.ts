import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/html.ts'
import { accountOf } from '../api/api-keys.ts'
import { type Form, formOf } from '../api/form.ts'
import { showPage } from './hosted-page.ts'
import { mustKnowSecret, type NextAction } from '../objects/intents.ts'
import { address, text } from '../api/params.ts'
import type { PaymentIntent } from '../objects/payment-intent.ts'
import { paymentAuthenticated } from '../objects/confirm-payment.ts'
import { setupAuthenticated, type SetupIntent } from '../objects/setup-intents.ts'
import type { Stripe } from '../stripe.ts'
import { missing } from '../api/stripe-error.ts'
import type { Work } from '../store/sandbox-session.ts'

const PATH = '/3d_secure_2/hosted'

type WaitingIntent = PaymentIntent | SetupIntent

/** The bank's page of 3-D Secure, where the customer proves who they are, or does not. */
export const authenticationRoutes = (app: FastifyInstance, stripe: Stripe): void => {
  app.get(PATH, async (request, reply) => {
    const { form, intent } = asked(stripe, request)
    return showPage(
      reply,
      '3D Secure 2 Test Page',
      intent.status === 'requires_action' ? question(intent, request.url) : over(intent, form),
    )
  })

  app.post(PATH, async (request, reply) => {
    const { work, form, intent } = asked(stripe, request)
    const proven = text(formOf(String(request.body ?? '')), 'outcome') === 'complete'
    const back = returnUrlOf(intent.next_action)
    const after = intent.status === 'requires_action' ? answered(work, intent, proven) : intent
    const batch = stripe.notices.prepare(work)
    await stripe.notices.beforeAnswer(batch)
    reply.raw.once('close', () => void stripe.notices.afterAnswer(batch))
    if (text(form, 'frame') === '1' || back === undefined) return showPage(reply, '3D Secure 2 Test Page', over(after, form))
    return reply.redirect(withResult(back, after, proven), 303)
  })
}

interface Asked {
  readonly work: Work
  readonly form: Form
  readonly intent: WaitingIntent
}

const asked = (stripe: Stripe, request: FastifyRequest): Asked => {
  const form = formOf(request.url.split('?')[1] ?? '')
  const work = stripe.work(accountOf(text(form, 'publishable_key') ?? ''), `${request.protocol}://${request.host}/stripe`)
  const [payment, setup] = [text(form, 'payment_intent'), text(form, 'setup_intent')]
  const intent =
    payment === undefined ? work.find<SetupIntent>('setup_intent', setup ?? '') : work.find<PaymentIntent>('payment_intent', payment)
  if (intent === undefined) throw missing('intent', payment ?? setup ?? '')
  mustKnowSecret(intent, { client_secret: text(form, `${intent.object}_client_secret`) ?? '' }, false)
  return { work, form, intent }
}

const answered = (work: Work, intent: WaitingIntent, proven: boolean): WaitingIntent =>
  intent.object === 'payment_intent' ? paymentAuthenticated(work, intent, proven) : setupAuthenticated(work, intent, proven)

const question = (intent: WaitingIntent, action: string): Markup => html`<p>${what(intent)} Complete the authentication, or let it fail.</p>
<form method="post" action="${action}"><div class="buttons">
<button name="outcome" value="complete">Complete</button>
<button name="outcome" value="fail" class="plain">Fail</button>
</div></form>
<small>This stands for the page of the customer’s bank.</small>`

const what = (intent: WaitingIntent): string =>
  intent.object === 'payment_intent'
    ? `A payment of ${amountOf(intent)} is to be made with this card.`
    : 'This card is to be saved for later payments.'

/** As `AUD 1,234.50`; how many digits stand behind the point is the currency's affair. */
const amountOf = ({ amount, currency }: PaymentIntent): string => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

const over = (intent: WaitingIntent, form: Form): Markup => {
  if (text(form, 'frame') === '1') return html`<p>One moment…</p><script src="/stripe/v3/authenticated.browser.js"></script>`
  const back = address(form, 'return_url')
  const done = html`<p>Nothing is left to do here: the ${intent.object.replace('_', ' ')} is ${intent.status.replaceAll('_', ' ')}.</p>`
  return back === undefined ? done : html`${done}<a class="button" href="${withResult(back, intent, true)}">Go back</a>`
}

const returnUrlOf = (action: NextAction | null): string | undefined =>
  action?.type === 'redirect_to_url' ? (action['redirect_to_url'] as { return_url?: string }).return_url : undefined

/** The address to come back to, with its own query and the outcome. */
const withResult = (back: string, intent: WaitingIntent, proven: boolean): string => {
  const url = new URL(back)
  url.searchParams.set(intent.object, intent.id)
  url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret)
  url.searchParams.set('redirect_status', proven && intent.status !== 'requires_payment_method' ? 'succeeded' : 'failed')
  url.searchParams.set('source_type', 'card')
  return url.href
}
