import type { Static, TObject, TSchema } from 'typebox'
import type { SectionName } from '../sections.ts'

/**
 * Who may call an endpoint.
 * - `public`: anyone, without token and customer header
 * - `user`: a signed-in user, before a customer is chosen (`me`)
 * - `customer`: a signed-in user acting for one customer, named by the X-Customer-Id header
 */
export type Access = 'public' | 'user' | 'customer'

/** The response: a JSON body of this schema, a file of this media type, or nothing (204). */
export type ResponseShape = TSchema | { readonly file: string } | null

/** An endpoint as data: the server validates and serialises by it, the portal takes address and types from it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** A path parameter is written `{name}`. */
  readonly path: string
  readonly access: Access
  /** One sentence for the OpenAPI document. */
  readonly summary: string
  /** The endpoint is open while the brand shows at least one of these sections; always when absent. */
  readonly sections?: readonly SectionName[]
  /** The message with which the endpoint is refused to a support session; absent when it is allowed. */
  readonly notForSupport?: string
  readonly params?: TObject
  readonly query?: TObject
  /** JSON body; with `form`, application/x-www-form-urlencoded. */
  readonly body?: TSchema
  readonly form?: true
  readonly response: ResponseShape
}

type Part<E, K extends string> = E extends { readonly [key in K]: infer S extends TSchema } ? { [key in K]: Static<S> } : unknown

/** The parsed parts of a request to `E`: `{ params, query, body }`, each only where the endpoint has it. */
export type RequestInput<E extends Endpoint> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>

/** The type of the response's JSON body; files and empty responses have none. */
export type ResponseBody<E extends Endpoint> = E['response'] extends TSchema ? Static<E['response']> : undefined

/** Declares an endpoint and keeps its exact type. */
export const endpoint = <const E extends Endpoint>(declared: E): E => declared

/**
 * The URL path of an endpoint with its path parameters filled in, each percent-encoded, without origin and query.
 * @throws Error when a parameter of the path is missing
 */
export const pathOf = (call: Endpoint, params: Readonly<Record<string, string | number>> = {}): string =>
  call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${call.method} ${call.path} needs {${name}}`)
    return encodeURIComponent(String(value))
  })
