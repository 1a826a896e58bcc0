/** Where the sandbox is, and the calls that this script makes of it by itself. */
const script = document.currentScript ?? document.querySelector('script[src*="/stripe/"]')
/** `http://host/stripe` of the sandbox that gave this script. */
export const base = new URL(script.src.replace(/\/stripe\/.*$/, '/stripe'))
// A page of the sandbox itself must not be able to read the frames either.
if (base.origin === location.origin) base.hostname = base.hostname === 'localhost' ? '127.0.0.1' : 'localhost'

/** A call of this script's own: nothing in it was typed by anybody. */
export const call = async (method, path, form) => {
  const text = new URLSearchParams(form).toString()
  const [query, body] =
    method === 'GET' ? [`?${text}`, {}] : ['', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: text }]
  try {
    const answer = await fetch(`${base}${path}${query}`, { method, ...body })
    return { status: answer.status, body: await answer.json() }
  } catch {
    return { status: 0, body: null }
  }
}

/** Named values as a form writes them; what is undefined or null is left out. */
export const flat = (values, prefix) =>
  Object.entries(values ?? {}).flatMap(([name, value]) => {
    const key = prefix === '' ? name : `${prefix}[${name}]`
    if (value === undefined || value === null) return []
    return typeof value === 'object' ? flat(value, key) : [[key, String(value)]]
  })
