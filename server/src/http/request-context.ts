import type { Readable } from 'node:stream'
import type { Endpoint, RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import type { TSchema } from 'typebox'
import type { Actor } from '../session/actor.ts'
import type { CustomerScope } from '../session/scope.ts'
import type { Db, Lane } from '../db/database.ts'
import type { Extent } from '../db/transaction.ts'

/** Where a request comes from, and the cookies that a sign-in sets. */
export interface RequestInfo {
  readonly address: string
  /** Lower case, without the port. */
  readonly host: string
  /** What it calls itself; empty when it does not say. At most 500 letters. */
  readonly userAgent: string
  /** The header Idempotency-Key: the same key is one wish, however often it is sent. Null without one. */
  readonly idempotencyKey: string | null
  cookie(name: string): string | undefined
  /** @param sameSite `Lax` lets the cookie come along when another site sends the browser here; Strict unless given */
  setCookie(name: string, value: string, maxAgeSeconds: number, sameSite?: 'Strict' | 'Lax'): void
}

/** Runs work in one transaction; of one statement, it takes a third of the messages. */
export type Transact = <T>(work: (db: Db) => Promise<T>, lane?: Lane, extent?: Extent) => Promise<T>

/** All that a handler may know of a request. A public call's handler has no scope, so it can run no customer query. */
interface PublicRequestContext {
  readonly now: Date
  readonly requestInfo: RequestInfo
  /** One transaction over the house's own tables (people, sessions, brands). */
  readonly transactAsSystem: Transact
}
interface UserRequestContext extends PublicRequestContext {
  readonly actor: Actor
}
export interface CustomerRequestContext extends UserRequestContext {
  readonly scope: CustomerScope
  /** One transaction over the rows of this customer. */
  readonly transact: Transact
}

type RequestContext<E extends Endpoint> = E['access'] extends 'customer'
  ? CustomerRequestContext
  : E['access'] extends 'user'
    ? UserRequestContext
    : PublicRequestContext

/** A file as an answer. */
export interface FileResponse {
  readonly contentType: string
  readonly body: Uint8Array | Readable
  /** The name to save it under; absent: shown in place. */
  readonly fileName?: string
  readonly headers?: Readonly<Record<string, string>>
}

type HandlerResult<E extends Endpoint> = E['response'] extends TSchema ? ResponseBody<E> : E['response'] extends null ? void : FileResponse

export type RegisterRoute = <E extends Endpoint>(
  endpoint: E,
  handle: (context: RequestContext<E>, input: RequestInput<E>) => Promise<HandlerResult<E>>,
) => void
/** The calls of one area, bound to what answers them. */
export type RegisterArea = (route: RegisterRoute) => void
