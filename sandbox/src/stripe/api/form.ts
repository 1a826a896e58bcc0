/** A form's value: text, a list, or named values. */
export type FormValue = string | FormValue[] | Form
export interface Form {
  [name: string]: FormValue
}

const DEEPEST = 10

/**
 * A form as Stripe writes it: `a[b][c]=x`, `a[]=x`, `a[0]=x`.
 * Of a name that is given twice, the last one stands.
 */
export const formOf = (text: string): Form => {
  const form = emptyForm()
  for (const [name, value] of new URLSearchParams(text)) place(form, pathOf(name), value)
  return listed(form) as Form
}

/** A form without names, and without what objects inherit. */
export const emptyForm = (): Form => Object.create(null) as Form

const pathOf = (name: string): string[] => {
  const [head = '', ...rest] = name.split('[')
  return [head, ...rest.map((part) => (part.endsWith(']') ? part.slice(0, -1) : part))].slice(0, DEEPEST)
}

const place = (form: Form, [head = '', ...rest]: string[], value: string): void => {
  const key = head === '' ? String(Object.keys(form).length) : head
  if (rest.length === 0) {
    form[key] = value
    return
  }
  const found = form[key]
  const inner = typeof found === 'object' && !Array.isArray(found) ? found : emptyForm()
  form[key] = inner
  place(inner, rest, value)
}

const listed = (value: FormValue): FormValue => {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, listed(inner)] as const)
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key)))
    return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner)
  return Object.assign(emptyForm(), Object.fromEntries(entries))
}
