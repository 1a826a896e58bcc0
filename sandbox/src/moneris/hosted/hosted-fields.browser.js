/** Sends what was typed to the sandbox when the page around this frame says `tokenize`, and answers with a JSON string. */
const form = document.querySelector('form')

const tokenize = async () => {
  const typed = Object.fromEntries(new FormData(form))
  try {
    const response = await fetch('tokenize', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: form.dataset.id, ...typed }),
    })
    return await response.json()
  } catch {
    const responseCode = Object.keys(typed).length > 1 ? ['941'] : '941'
    return { responseCode, errorMessage: 'Error generating token', dataKey: null, bin: null }
  }
}

addEventListener('message', async ({ source, origin, data }) => {
  if (source !== parent || data !== 'tokenize' || form.dataset.answers !== 'true') return
  const message = await tokenize()
  parent.postMessage(JSON.stringify(message), origin)
})

form.addEventListener('submit', (event) => event.preventDefault())
