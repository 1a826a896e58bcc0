import type { Readable } from 'node:stream'
import type { Endpoint, RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import type { TSchema } from 'typebox'
import type { Actor } from '../session/actor.ts'
import type { CustomerScope } from '../session/scope.ts'
import type { RawBuilder } from 'kysely'
import type { Db, TransactOptions } from '../db/database.ts'
import type { TextRow } from '../db/statement-batch.ts'
import type { JsonText } from './json-text.ts'

/** Where a request comes from, with access to its cookies. */
export interface RequestInfo {
  readonly address: string
  /** Lower case, without the port. */
  readonly host: string
  /** Empty without the header; at most 500 characters. */
  readonly userAgent: string
  /** Whether a page of another site made the browser send this. A request without a browser's headers comes from a program. */
  readonly isFromOtherSite: boolean
  /** The header Idempotency-Key; null without one. Requests with the same key are one request, however often they are sent. */
  readonly idempotencyKey: string | null
  cookie(name: string): string | undefined
  /** @param sameSite `lax` also sends the cookie when another site redirects here; default `strict` */
  setCookie(name: string, value: string, maxAgeSeconds: number, sameSite?: 'strict' | 'lax'): void
}

/** Runs work in one transaction. */
export type Transact = <T>(work: (db: Db) => Promise<T>, options?: TransactOptions) => Promise<T>

/** What a handler knows about a request. A public endpoint has no customer scope, so its handler can run no customer query. */
interface PublicRequestContext {
  readonly now: Date
  readonly requestInfo: RequestInfo
  /** Runs work in a transaction over the system's own tables (users, sessions, brands). */
  readonly transactAsSystem: Transact
}
interface UserRequestContext extends PublicRequestContext {
  readonly actor: Actor
}
export interface CustomerRequestContext extends UserRequestContext {
  readonly scope: CustomerScope
  /** True once the client has left: work for it can stop. */
  hasLeft(): boolean
  /** Runs work once the answer has left, or its client: what is held for an answer is held that long. */
  whenAnswered(work: () => void): void
  /** Runs work in a transaction that sees this customer's rows only. */
  readonly transact: Transact
  /** The same for statements that begin at once, in one round trip. */
  readonly read: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /** The same for reading statements alone: see Store.readText. */
  readonly readText: (statements: readonly RawBuilder<unknown>[], options?: Pick<TransactOptions, 'readReplica'>) => Promise<TextRow[][]>
}

type RequestContext<E extends Endpoint> = E['access'] extends 'customer'
  ? CustomerRequestContext
  : E['access'] extends 'user'
    ? UserRequestContext
    : PublicRequestContext

/** A file as a response. */
export interface FileResponse {
  readonly contentType: string
  readonly body: Uint8Array | Readable
  /** The name to save it under; without one the browser shows the file. */
  readonly fileName?: string
  readonly headers?: Readonly<Record<string, string>>
}

type HandlerResult<E extends Endpoint> = E['response'] extends TSchema
  ? ResponseBody<E> | JsonText<E>
  : E['response'] extends null
    ? void
    : FileResponse

export type RegisterRoute = <E extends Endpoint>(
  endpoint: E,
  handle: (context: RequestContext<E>, input: RequestInput<E>) => Promise<HandlerResult<E>>,
) => void
/** Registers the endpoints of one area. */
export type RegisterArea = (route: RegisterRoute) => void
