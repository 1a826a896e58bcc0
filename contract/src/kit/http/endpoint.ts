import type { Static, TObject, TSchema } from 'typebox'
import type { SectionName } from '../sections.ts'

/**
 * Who may make a call.
 * - `public`: anyone, without token and customer header
 * - `user`: a signed-in user, before a customer is chosen (`me`)
 * - `customer`: a signed-in user acting for one customer, named by the X-Customer-Id header
 */
export type Access = 'public' | 'user' | 'customer'

/** What a call answers with: a JSON body of this schema, a file of this media type, or nothing (204). */
export type ResponseShape = TSchema | { readonly file: string } | null

/** One call of the product, as data: the server parses and answers by it, the portal takes address and types from it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `{name}` for a path parameter, as the specification writes it. */
  readonly path: string
  readonly access: Access
  /** One sentence for the OpenAPI document. */
  readonly summary: string
  /** The call is open while the brand shows at least one of these sections; absent: always. */
  readonly sections?: readonly SectionName[]
  /** Why a support session may not make this call, in words for whoever tries; absent: it may. */
  readonly notForSupport?: string
  readonly params?: TObject
  readonly query?: TObject
  /** JSON body; with `form`, application/x-www-form-urlencoded. */
  readonly body?: TSchema
  readonly form?: true
  readonly response: ResponseShape
}

type Part<E, K extends string> = E extends { readonly [key in K]: infer S extends TSchema } ? { [key in K]: Static<S> } : unknown

/** The parsed parts of a request to `E`: `{ params, query, body }`, each only where the call has it. */
export type RequestInput<E extends Endpoint> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>

/** What the call answers: the JSON body's type; for files and empty answers, nothing that a schema describes. */
export type ResponseBody<E extends Endpoint> = E['response'] extends TSchema ? Static<E['response']> : undefined

/** Declares one call and keeps its exact type. */
export const endpoint = <const E extends Endpoint>(declared: E): E => declared

/**
 * The address of a call with its path parameters filled in, each percent-encoded.
 * @throws Error when a parameter of the path is missing
 */
export const pathOf = (call: Endpoint, params: Readonly<Record<string, string | number>> = {}): string =>
  call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${call.method} ${call.path} needs {${name}}`)
    return encodeURIComponent(String(value))
  })
