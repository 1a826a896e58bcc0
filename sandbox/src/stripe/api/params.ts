import type { Form, FormValue } from './form.ts'
import { invalid } from './stripe-error.ts'

/** What a call takes: the top-level names of its form, and those without which it is refused. */
export interface Takes {
  readonly takes: readonly string[]
  readonly needs?: readonly string[]
}

const ALWAYS = new Set(['expand', 'key', '_stripe_account', '_stripe_version'])

/** @throws StripeError on a name that the call does not know, or one that it needs and was not sent */
export const checkNames = (form: Form, { takes, needs = [] }: Takes): void => {
  const unknown = Object.keys(form).find((name) => !ALWAYS.has(name) && !takes.includes(name))
  if (unknown !== undefined) throw invalid(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown })
  for (const name of needs)
    if (form[name] === undefined || form[name] === '')
      throw invalid(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name })
}

/** A text; undefined when it was not sent, or sent empty, which is how Stripe unsets. */
export const text = (form: Form, name: string): string | undefined => {
  const value = form[name]
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string') throw invalid(`Invalid string: ${JSON.stringify(value)}`, { param: name })
  return value
}

/** The text, or null. */
export const textOrNull = (form: Form, name: string): string | null => text(form, name) ?? null

/** One of a closed list. */
export const oneOf = <Word extends string>(form: Form, name: string, words: readonly Word[]): Word | undefined => {
  const value = text(form, name)
  if (value === undefined) return undefined
  const word = words.find((one) => one === value)
  if (word === undefined)
    throw invalid(`Invalid ${name}: must be one of ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`, { param: name })
  return word
}

/** A whole number. */
export const whole = (form: Form, name: string): number | undefined => {
  const value = text(form, name)
  if (value === undefined) return undefined
  if (!/^-?\d{1,15}$/.test(value)) throw invalid(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: name })
  return Number(value)
}

/** Yes or no; no unless it was sent. */
export const flag = (form: Form, name: string): boolean => {
  const value = text(form, name)
  if (value === undefined || value === 'false') return false
  if (value !== 'true') throw invalid(`Invalid boolean: ${value}`, { param: name })
  return true
}

/** Named values; undefined when they were not sent. */
export const inner = (form: Form, name: string): Form | undefined => {
  const value: FormValue | undefined = form[name]
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid('Invalid object', { param: name })
  return value
}

/** An address of the web; undefined when it was not sent. */
export const address = (form: Form, name: string): string | undefined => {
  const value = text(form, name)
  if (value !== undefined && !(URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)))
    throw invalid('Not a valid URL', { code: 'url_invalid', param: name })
  return value
}

/** A list of texts; undefined when it was not sent. */
export const texts = (form: Form, name: string): string[] | undefined => {
  const value = form[name]
  if (value === undefined || value === '') return undefined
  if (!Array.isArray(value)) throw invalid('Invalid array', { param: name })
  return value.map(String)
}

/** What the caller keeps with an object: what was there, with what was sent; a name sent empty goes. */
export const metadata = (form: Form, before: Readonly<Record<string, string>> = {}): Record<string, string> => {
  if (form['metadata'] === '') return {}
  const sent = Object.entries(inner(form, 'metadata') ?? {}).map(([name, value]) => [name, String(value)] as const)
  return Object.fromEntries([...Object.entries(before), ...sent].filter(([, value]) => value !== ''))
}
