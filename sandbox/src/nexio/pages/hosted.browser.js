const form = document.querySelector('form')
const alertText = document.querySelector('[role=alert]')
const fields = [...form.querySelectorAll('input')]

const send = (event, data) => window.parent.postMessage({ event, ...(data === undefined ? {} : { data }) }, '*')

const sendValidations = () => {
  const validity = Object.fromEntries(fields.map(({ name, validity: { valid } }) => [name, valid]))
  send('formValidations', { ...validity, isFormValid: form.checkValidity() })
}

const fetchAnswer = async () => {
  const typed = Object.fromEntries(fields.map(({ name, value }) => [name, value.trim()]))
  const response = await fetch(form.dataset.call, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ [form.dataset.method]: typed }),
  })
  return { ok: response.ok, body: await response.json() }
}

const submit = async () => {
  if (!form.reportValidity()) {
    sendValidations()
    return
  }
  const { ok, body } = await fetchAnswer().catch(() => ({ ok: false, body: { error: 500, message: 'The connection failed' } }))
  if (ok && body.status === 'redirect') window.location.assign(body.redirectUrl)
  else if (ok) {
    alertText.textContent = ''
    send(form.dataset.event, body)
  } else {
    alertText.textContent = body.message
    send('error', body)
  }
}

form.addEventListener('input', sendValidations)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void submit()
})
window.addEventListener('message', ({ source, data }) => {
  if (source === window.parent && data === 'posted') void submit()
})
send('loaded')
sendValidations()
