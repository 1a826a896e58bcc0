import type { Keys } from '../kit/keys.ts'
import type { Transact } from '../http/request-context.ts'
import type { Actor } from '../session/actor.ts'
import { auditActor, writeAudit } from './audit.ts'

/** A call in a support session, as far as the log tells of it. */
export interface SupportRequest {
  readonly now: Date
  readonly transactAsSystem: Transact
  readonly actor: Actor
  readonly customerId?: number
  readonly address: string
  /** Method and path, without a query. */
  readonly call: string
}

/**
 * Writes what support does in a user's name: asked before the call is handled, so that nothing is done untold; answered with its
 * status; refused where the call is none for support.
 */
export const auditSupport = (
  keys: Keys,
  step: 'asked' | 'answered' | 'refused',
  { now, transactAsSystem, actor, customerId, address, call }: SupportRequest,
  detail?: string,
): Promise<void> =>
  transactAsSystem((db) =>
    writeAudit(db, keys, now, {
      resellerId: actor.resellerId,
      action: `support.${step}`,
      actor: auditActor(actor),
      subject: call,
      source: address,
      ...(customerId === undefined ? {} : { customerId }),
      ...(detail === undefined ? {} : { detail }),
    }),
  )
