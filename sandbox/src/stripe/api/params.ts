import type { Form, FormValue } from './form.ts'
import { invalidRequest } from './stripe-error.ts'

/** The top-level parameters that an endpoint knows, and those that it requires. */
export interface ParamNames {
  readonly params: readonly string[]
  readonly requiredParams?: readonly string[]
}

const COMMON_PARAMS = new Set(['expand', 'key', '_stripe_account', '_stripe_version'])

/** Checks the names of the parameters. @throws StripeError for an unknown parameter or a missing required one */
export const checkParamNames = (form: Form, { params, requiredParams = [] }: ParamNames): void => {
  const unknown = Object.keys(form).find((name) => !COMMON_PARAMS.has(name) && !params.includes(name))
  if (unknown !== undefined) throw invalidRequest(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown })
  for (const name of requiredParams)
    if (form[name] === undefined || form[name] === '')
      throw invalidRequest(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name })
}

/**
 * The string; undefined when absent or empty, because Stripe's clients send an empty string to unset a value.
 * @throws StripeError when it is a list or a form
 */
export const stringParam = (form: Form, name: string): string | undefined => {
  const value = form[name]
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string') throw invalidRequest(`Invalid string: ${JSON.stringify(value)}`, { param: name })
  return value
}

/** The string; null when absent or empty. @throws StripeError when it is a list or a form */
export const stringOrNullParam = (form: Form, name: string): string | null => stringParam(form, name) ?? null

/** One of `words`; undefined when absent. @throws StripeError for any other word */
export const enumParam = <Word extends string>(form: Form, name: string, words: readonly Word[]): Word | undefined => {
  const value = stringParam(form, name)
  if (value === undefined) return undefined
  const word = words.find((one) => one === value)
  if (word === undefined)
    throw invalidRequest(`Invalid ${name}: must be one of ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`, { param: name })
  return word
}

/** The whole number, also a negative one; undefined when absent. @throws StripeError when it is no whole number */
export const integerParam = (form: Form, name: string): number | undefined => {
  const value = stringParam(form, name)
  if (value === undefined) return undefined
  if (!/^-?\d{1,15}$/.test(value)) throw invalidRequest(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: name })
  return Number(value)
}

/** The boolean of a parameter; false when absent. @throws StripeError when it is neither true nor false */
export const booleanParam = (form: Form, name: string): boolean => {
  const value = stringParam(form, name)
  if (value === undefined || value === 'false') return false
  if (value !== 'true') throw invalidRequest(`Invalid boolean: ${value}`, { param: name })
  return true
}

/** The nested form of a parameter; undefined when absent or empty. @throws StripeError when it is a text or a list */
export const objectParam = (form: Form, name: string): Form | undefined => {
  const value: FormValue | undefined = form[name]
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidRequest('Invalid object', { param: name })
  return value
}

/** The http or https URL; undefined when absent. @throws StripeError when it is no such URL */
export const urlParam = (form: Form, name: string): string | undefined => {
  const value = stringParam(form, name)
  if (value !== undefined && !(URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)))
    throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: name })
  return value
}

/** The list of strings; undefined when absent. @throws StripeError when it is no list */
export const stringListParam = (form: Form, name: string): string[] | undefined => {
  const value = form[name]
  if (value === undefined || value === '') return undefined
  if (!Array.isArray(value)) throw invalidRequest('Invalid array', { param: name })
  return value.map(String)
}

/** The metadata `before` with the changes of the form: an empty value removes its key, an empty `metadata` all keys. */
export const metadataParam = (form: Form, before: Readonly<Record<string, string>> = {}): Record<string, string> => {
  if (form['metadata'] === '') return {}
  const changes = Object.entries(objectParam(form, 'metadata') ?? {}).map(([name, value]) => [name, String(value)] as const)
  return Object.fromEntries([...Object.entries(before), ...changes].filter(([, value]) => value !== ''))
}
