// The address of the script tells where its API is.
const BASE_URL = new URL('../v5', document.currentScript.src).href

const UNANSWERED = { code: 'Unspecified', message: 'The payment method could not be sent.' }

/** Attaches a card or a bank account to a key, straight from the browser. */
const putPaymentMethod = async (kind, authkey, method) => {
  try {
    const response = await fetch(`${BASE_URL}/${kind}/authkeys/${encodeURIComponent(authkey)}/payment-method`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(method),
    })
    return { code: response.ok ? 'success' : 'error', data: await response.json() }
  } catch {
    return { code: 'error', data: UNANSWERED }
  }
}

const attachPaymentMethod = (kind) => async (authkey, method, callback) => {
  const { code, data } = await putPaymentMethod(kind, authkey, method)
  callback(code, data)
}

globalThis.BPOINT = {
  txn: { authkey: { attachPaymentMethod: attachPaymentMethod('txns') } },
  token: { authkey: { attachPaymentMethod: attachPaymentMethod('tokens') } },
}
