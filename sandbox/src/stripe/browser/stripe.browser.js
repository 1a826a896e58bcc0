/**
 * The sandbox's Stripe.js: `Stripe(publishableKey)` with the card, bank account and IBAN elements. Each element is a frame of the sandbox's
 * origin, which sends what is typed directly to the sandbox; this script, which runs in the page around it, never sees it.
 */
import { openChallenge } from './stripe-challenge.browser.js'
import { Element, createElements } from './stripe-element.browser.js'
import { callApi, toFormEntries } from './stripe-request.browser.js'

const CONNECTION_ERROR = {
  type: 'api_connection_error',
  message: 'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
}

const toResult = ({ status, body }, name) => {
  if (body === null) return { error: CONNECTION_ERROR }
  return status === 200 ? { [name]: body } : { error: body.error }
}

const INTENTS = {
  paymentIntent: { path: '/v1/payment_intents', error: 'last_payment_error', object: 'payment_intent' },
  setupIntent: { path: '/v1/setup_intents', error: 'last_setup_error', object: 'setup_intent' },
}
const intentIdOf = (secret) => String(secret).split('_secret_')[0]

/** `x[card][number]` as `card[number]`. */
const withoutPrefix = (name) => name.replace(/^x\[([^\]]+)\]/, '$1')

/** Calls the API through the element's frame, or directly when no element is involved. */
const send = (source, path, form, prefix) => (source instanceof Element ? source.callWith(path, form, prefix) : callApi('POST', path, form))

/** The form entries of a method: its type, its own fields and its owner. */
const methodEntries = (data, type, prefix) => {
  const source = data[type]
  const ownEntries = source instanceof Element ? [] : toFormEntries(source, `${prefix}[${type}]`)
  return [
    [`${prefix}[type]`, type],
    ...ownEntries,
    ...toFormEntries(data.billing_details, `${prefix}[billing_details]`),
    ...toFormEntries(data.metadata, `${prefix}[metadata]`),
  ]
}

const createStripe = (key) => {
  const retrieveIntent = (name, secret) =>
    callApi('GET', `${INTENTS[name].path}/${intentIdOf(secret)}`, { key, client_secret: secret }).then((response) =>
      toResult(response, name),
    )

  /** Performs the intent's next action and returns the result. */
  const followNextAction = async (name, secret, outcome) => {
    const action = outcome[name]?.status === 'requires_action' ? outcome[name].next_action : undefined
    if (action?.type === 'redirect_to_url') {
      location.assign(action.redirect_to_url.url)
      return new Promise(() => undefined)
    }
    if (action?.type !== 'use_stripe_sdk') return outcome
    await openChallenge(action.use_stripe_sdk.stripe_js)
    const after = await retrieveIntent(name, secret)
    const { error, object } = INTENTS[name]
    return after[name]?.status === 'requires_payment_method' ? { error: { ...after[name][error], [object]: after[name] } } : after
  }

  const confirmIntent =
    (name, type) =>
    async (secret, data = {}, { handleActions = true } = {}) => {
      const { payment_method: method, ...rest } = data
      const form = [['key', key], ['client_secret', secret], ['use_stripe_sdk', 'true'], ...toFormEntries(rest, '')]
      if (typeof method === 'string') form.push(['payment_method', method])
      else if (method !== undefined) form.push(...methodEntries(method, type, 'payment_method_data'))
      if (type !== 'card')
        form.push(...toFormEntries({ customer_acceptance: { type: 'online', online: { infer_from_client: true } } }, 'mandate_data'))
      const response = await send(method?.[type], `${INTENTS[name].path}/${intentIdOf(secret)}/confirm`, form, 'payment_method_data')
      const outcome = toResult(response, name)
      return handleActions ? followNextAction(name, secret, outcome) : outcome
    }

  const handleNextAction = async (secret) => {
    const name = String(secret).startsWith('seti_') ? 'setupIntent' : 'paymentIntent'
    return followNextAction(name, secret, await retrieveIntent(name, secret))
  }

  return {
    elements: createElements,
    createPaymentMethod: async (dataOrType, ...legacyArguments) => {
      const data =
        typeof dataOrType === 'string' ? { type: dataOrType, [dataOrType]: legacyArguments[0], ...legacyArguments[1] } : dataOrType
      const form = [['key', key], ...methodEntries(data, data.type, 'x').map(([name, value]) => [withoutPrefix(name), value])]
      return toResult(await send(data[data.type], '/v1/payment_methods', form, ''), 'paymentMethod')
    },
    createToken: async (element, data = {}) =>
      toResult(await send(element, '/v1/tokens', [['key', key], ...toFormEntries(data, 'card')], ''), 'token'),
    confirmCardPayment: confirmIntent('paymentIntent', 'card'),
    confirmCardSetup: confirmIntent('setupIntent', 'card'),
    confirmAuBecsDebitPayment: confirmIntent('paymentIntent', 'au_becs_debit'),
    confirmAuBecsDebitSetup: confirmIntent('setupIntent', 'au_becs_debit'),
    confirmSepaDebitPayment: confirmIntent('paymentIntent', 'sepa_debit'),
    confirmSepaDebitSetup: confirmIntent('setupIntent', 'sepa_debit'),
    handleNextAction: async ({ clientSecret }) => handleNextAction(clientSecret),
    handleCardAction: handleNextAction,
    retrievePaymentIntent: (secret) => retrieveIntent('paymentIntent', secret),
    retrieveSetupIntent: (secret) => retrieveIntent('setupIntent', secret),
    verifyMicrodepositsForSetup: async (secret, data) => {
      const form = [['key', key], ['client_secret', secret], ...toFormEntries(data, '')]
      return toResult(await callApi('POST', `/v1/setup_intents/${intentIdOf(secret)}/verify_microdeposits`, form), 'setupIntent')
    },
    registerAppInfo: () => undefined,
    _registerWrapper: () => undefined,
  }
}

const Stripe = (key) => {
  if (!/^pk_(test|live)_/.test(String(key)))
    throw new Error(`Please call Stripe() with your publishable key. You used the wrong key: ${String(key).slice(0, 8)}…`)
  return createStripe(key)
}
Stripe.version = 'sandbox'
globalThis.Stripe = Stripe
