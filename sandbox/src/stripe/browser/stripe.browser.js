/**
 * The stand-in for Stripe.js: `Stripe(publishableKey)` with the card, bank account and IBAN elements. Each element is a frame of the sandbox's
 * own origin; what is typed goes from that frame to the sandbox, and this script, which runs in the page around it, never sees it.
 */
import { challenge } from './stripe-challenge.browser.js'
import { Element, elementsOf } from './stripe-element.browser.js'
import { call, flat } from './stripe-request.browser.js'

const CONNECTION = {
  type: 'api_connection_error',
  message: 'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
}

const result = ({ status, body }, name) => {
  if (body === null) return { error: CONNECTION }
  return status === 200 ? { [name]: body } : { error: body.error }
}

const INTENTS = {
  paymentIntent: { path: '/v1/payment_intents', error: 'last_payment_error', object: 'payment_intent' },
  setupIntent: { path: '/v1/setup_intents', error: 'last_setup_error', object: 'setup_intent' },
}
const idIn = (secret) => String(secret).split('_secret_')[0]

/** `x[card][number]` as `card[number]`. */
const unprefixed = (name) => name.replace(/^x\[([^\]]+)\]/, '$1')

/** Through the frame when an element holds what is sent, and by itself otherwise. */
const send = (source, path, form, prefix) => (source instanceof Element ? source.callWith(path, form, prefix) : call('POST', path, form))

/** What is sent of a method: its kind, what the page itself knows of it, and whose it is. */
const fieldsOf = (data, type, prefix) => {
  const source = data[type]
  const own = source instanceof Element ? [] : flat(source, `${prefix}[${type}]`)
  return [
    [`${prefix}[type]`, type],
    ...own,
    ...flat(data.billing_details, `${prefix}[billing_details]`),
    ...flat(data.metadata, `${prefix}[metadata]`),
  ]
}

const stripeOf = (key) => {
  const read = (name, secret) =>
    call('GET', `${INTENTS[name].path}/${idIn(secret)}`, { key, client_secret: secret }).then((answer) => result(answer, name))

  /** Follows what the intent asks of the customer, and gives what became of it. */
  const followed = async (name, secret, outcome) => {
    const action = outcome[name]?.status === 'requires_action' ? outcome[name].next_action : undefined
    if (action?.type === 'redirect_to_url') {
      location.assign(action.redirect_to_url.url)
      return new Promise(() => undefined)
    }
    if (action?.type !== 'use_stripe_sdk') return outcome
    await challenge(action.use_stripe_sdk.stripe_js)
    const after = await read(name, secret)
    const { error, object } = INTENTS[name]
    return after[name]?.status === 'requires_payment_method' ? { error: { ...after[name][error], [object]: after[name] } } : after
  }

  const confirm =
    (name, type) =>
    async (secret, data = {}, { handleActions = true } = {}) => {
      const { payment_method: method, ...rest } = data
      const form = [['key', key], ['client_secret', secret], ['use_stripe_sdk', 'true'], ...flat(rest, '')]
      if (typeof method === 'string') form.push(['payment_method', method])
      else if (method !== undefined) form.push(...fieldsOf(method, type, 'payment_method_data'))
      if (type !== 'card')
        form.push(...flat({ customer_acceptance: { type: 'online', online: { infer_from_client: true } } }, 'mandate_data'))
      const answer = await send(method?.[type], `${INTENTS[name].path}/${idIn(secret)}/confirm`, form, 'payment_method_data')
      const outcome = result(answer, name)
      return handleActions ? followed(name, secret, outcome) : outcome
    }

  const nextAction = async (secret) => {
    const name = String(secret).startsWith('seti_') ? 'setupIntent' : 'paymentIntent'
    return followed(name, secret, await read(name, secret))
  }

  return {
    elements: elementsOf,
    createPaymentMethod: async (given, ...old) => {
      const data = typeof given === 'string' ? { type: given, [given]: old[0], ...old[1] } : given
      const form = [['key', key], ...fieldsOf(data, data.type, 'x').map(([name, value]) => [unprefixed(name), value])]
      return result(await send(data[data.type], '/v1/payment_methods', form, ''), 'paymentMethod')
    },
    createToken: async (element, data = {}) =>
      result(await send(element, '/v1/tokens', [['key', key], ...flat(data, 'card')], ''), 'token'),
    confirmCardPayment: confirm('paymentIntent', 'card'),
    confirmCardSetup: confirm('setupIntent', 'card'),
    confirmAuBecsDebitPayment: confirm('paymentIntent', 'au_becs_debit'),
    confirmAuBecsDebitSetup: confirm('setupIntent', 'au_becs_debit'),
    confirmSepaDebitPayment: confirm('paymentIntent', 'sepa_debit'),
    confirmSepaDebitSetup: confirm('setupIntent', 'sepa_debit'),
    handleNextAction: async ({ clientSecret }) => nextAction(clientSecret),
    handleCardAction: nextAction,
    retrievePaymentIntent: (secret) => read('paymentIntent', secret),
    retrieveSetupIntent: (secret) => read('setupIntent', secret),
    verifyMicrodepositsForSetup: async (secret, data) => {
      const form = [['key', key], ['client_secret', secret], ...flat(data, '')]
      return result(await call('POST', `/v1/setup_intents/${idIn(secret)}/verify_microdeposits`, form), 'setupIntent')
    },
    registerAppInfo: () => undefined,
    _registerWrapper: () => undefined,
  }
}

const Stripe = (key) => {
  if (!/^pk_(test|live)_/.test(String(key)))
    throw new Error(`Please call Stripe() with your publishable key. You used the wrong key: ${String(key).slice(0, 8)}…`)
  return stripeOf(key)
}
Stripe.version = 'sandbox'
globalThis.Stripe = Stripe
