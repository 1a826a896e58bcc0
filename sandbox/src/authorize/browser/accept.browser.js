/**
 * The sandbox's Accept.js: `Accept.dispatchData({ authData, cardData | bankData }, callback)` sends a card or bank account from the page
 * directly to the sandbox and calls back with a nonce for it.
 */
const script = document.currentScript ?? document.querySelector('script[src*="/authorize/v1/"]')
const endpoint = script.src.replace(/\/v1\/.*$/, '/xml/v1/request.api')

const toAnswer = (code, text) => ({ messages: { resultCode: 'Error', message: [{ code, text }] } })

/** The values that were given, in the order of their names. */
const pick = (values, names) => Object.fromEntries(names.filter((name) => values[name]).map((name) => [name, String(values[name])]))

const toCardToken = (card) => ({
  ...pick(card, ['cardNumber']),
  expirationDate: `${String(card.month ?? '').padStart(2, '0')}${card.year ?? ''}`,
  ...pick(card, ['cardCode', 'zip', 'fullName']),
})

const toToken = ({ cardData, bankData }) => {
  if (cardData) return { token: toCardToken(cardData) }
  return bankData ? { bankToken: pick(bankData, ['accountNumber', 'routingNumber', 'nameOnAccount', 'accountType']) } : undefined
}

const send = async (data, token) => {
  const { apiLoginID: name, clientKey } = data.authData
  const request = {
    securePaymentContainerRequest: {
      merchantAuthentication: { name, clientKey },
      data: { type: 'TOKEN', id: crypto.randomUUID(), ...token },
    },
  }
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(request),
    })
    return await response.json()
  } catch {
    return toAnswer('E_WC_14', 'Accept.js encryption failed.')
  }
}

const dispatchData = (data, callback) => {
  const call = typeof callback === 'function' ? callback : globalThis[callback]
  const token = toToken(data)
  if (!data.authData?.apiLoginID) call(toAnswer('E_WC_10', 'Please provide valid apiloginid.'))
  else if (!data.authData.clientKey) call(toAnswer('E_WC_18', 'Client Key is required.'))
  else if (token === undefined) call(toAnswer('E_WC_04', 'Please provide mandatory field to library.'))
  else void send(data, token).then(call)
}

globalThis.Accept = { dispatchData }
