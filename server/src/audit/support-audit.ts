import type { Keys } from '../kit/keys.ts'
import type { Transact } from '../db/transact.ts'
import type { Actor } from '../session/actor.ts'
import { auditActor, writeAudit } from './audit.ts'

/** A request in a support session, as the audit log stores it. */
export interface SupportRequest {
  readonly now: Date
  readonly transactAsSystem: Transact
  readonly actor: Actor
  readonly customerId?: number
  readonly address: string
  /** Method and path, without the query. */
  readonly call: string
}

/**
 * Audits a request of support in a user's name, in a transaction of its own: `asked` before the request is handled, so that nothing is
 * done unlogged; `answered` with its status; `refused` for an endpoint that is closed to support.
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
