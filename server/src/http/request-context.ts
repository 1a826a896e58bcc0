import type { Readable } from 'node:stream'
import type { Endpoint, RequestInput, ResponseBody } from '@counterfoil/contract/kit/http/endpoint'
import type { TSchema } from 'typebox'
import type { Actor } from '../session/actor.ts'
import type { RequestInfo } from '../session/request-info.ts'
import type { PortalScope } from '../session/scope.ts'
import type { RawBuilder } from 'kysely'
import type { Db, TransactOptions } from '../db/database.ts'
import type { Transact } from '../db/transact.ts'
import type { RawRow } from '../db/statement-batch.ts'
import type { JsonText } from './json-text.ts'

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
  readonly scope: PortalScope
  /** True once the client has left: work for it can stop. */
  hasLeft(): boolean
  /** Runs work once the answer has left, or its client: what is held for an answer is held that long. */
  whenAnswered(work: () => void): void
  /** Runs work in a transaction that sees this customer's rows only. */
  readonly transact: Transact
  /** Runs statements that begin at once in a transaction that sees this customer's rows only, in one round trip. */
  readonly read: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /** Runs reading statements alone in a transaction that sees this customer's rows only: see Store.readRaw. */
  readonly readRaw: (statements: readonly RawBuilder<unknown>[], options?: Pick<TransactOptions, 'usage'>) => Promise<RawRow[][]>
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
