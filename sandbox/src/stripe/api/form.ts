/** A form's value: a string, a list, or nested values. */
export type FormValue = string | FormValue[] | Form
export interface Form {
  [name: string]: FormValue
}

const MAX_DEPTH = 10

/** Parses a form as Stripe encodes it: `a[b][c]=x`, `a[]=x`, `a[0]=x`. The last value of a repeated name wins. Nothing is thrown. */
export const parseForm = (text: string): Form => {
  const form = emptyForm()
  for (const [name, value] of new URLSearchParams(text)) setValue(form, parsePath(name), value)
  return withLists(form) as Form
}

/** A form without values and without a prototype, so that no name can reach an inherited property. */
export const emptyForm = (): Form => Object.create(null) as Form

/** The keys of a name such as `a[b][c]`, at most MAX_DEPTH. */
const parsePath = (name: string): string[] => {
  const [head = '', ...rest] = name.split('[')
  return [head, ...rest.map((part) => (part.endsWith(']') ? part.slice(0, -1) : part))].slice(0, MAX_DEPTH)
}

/** Sets the value at a path of keys. Creates the forms on the way, in place of texts. An empty key appends to a list. */
const setValue = (form: Form, [head = '', ...rest]: string[], value: string): void => {
  const key = head === '' ? String(Object.keys(form).length) : head
  if (rest.length === 0) {
    form[key] = value
    return
  }
  const existing = form[key]
  const inner = typeof existing === 'object' && !Array.isArray(existing) ? existing : emptyForm()
  form[key] = inner
  setValue(inner, rest, value)
}

/** The value with every form whose keys are numbers as a list in their order, at any depth. */
const withLists = (value: FormValue): FormValue => {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withLists(inner)] as const)
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key)))
    return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner)
  return Object.assign(emptyForm(), Object.fromEntries(entries))
}
