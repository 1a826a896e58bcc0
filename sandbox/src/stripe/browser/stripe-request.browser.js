/** The sandbox's URL, and the API requests that contain nothing typed into an element. */
const script = document.currentScript ?? document.querySelector('script[src*="/stripe/"]')
/** `http://host/stripe` of the sandbox that served this script. */
export const sandboxUrl = new URL(script.src.replace(/\/stripe\/.*$/, '/stripe'))
// For a page of the sandbox itself the frames use the other host name, so that it cannot read them either.
if (sandboxUrl.origin === location.origin) sandboxUrl.hostname = sandboxUrl.hostname === 'localhost' ? '127.0.0.1' : 'localhost'

/** Calls the API; the body is null when the sandbox cannot be reached. */
export const callApi = async (method, path, form) => {
  const text = new URLSearchParams(form).toString()
  const [query, body] =
    method === 'GET' ? [`?${text}`, {}] : ['', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: text }]
  try {
    const response = await fetch(`${sandboxUrl}${path}${query}`, { method, ...body })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: 0, body: null }
  }
}

/** The values as form entries; undefined and null are left out. */
export const toFormEntries = (values, prefix) =>
  Object.entries(values ?? {}).flatMap(([name, value]) => {
    const key = prefix === '' ? name : `${prefix}[${name}]`
    if (value === undefined || value === null) return []
    return typeof value === 'object' ? toFormEntries(value, key) : [[key, String(value)]]
  })
