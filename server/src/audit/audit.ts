import type { Db } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import type { Actor } from '../session/actor.ts'
import { type AuditRow, lockChainEnd, insertEntry } from './audit.queries.ts'
import { sealOf, valueHash } from './audit-seal.ts'

/** The audited actions: the subject and what happened to it. */
export type AuditAction =
  | 'password.changed'
  | 'password.reset'
  | 'profile.changed'
  | 'reseller.added'
  | 'reseller.changed'
  | 'reseller.removed'
  | 'brand.added'
  | 'brand.changed'
  | 'brand.removed'
  | 'customer.added'
  | 'customer.changed'
  | 'customer.removed'
  | 'user.added'
  | 'user.changed'
  | 'user.removed'
  | 'user.reset-link-made'
  | 'records.imported'
  | 'focus.imported'
  | 'usage.imported'
  | 'usage.archived'
  | 'import.undone'
  | 'sso.company-set'
  | 'sso.company-removed'
  | 'sso.linked'
  | 'sso.link-refused'
  | 'sso.unlinked'
  | 'consent.given'
  | 'consent.withdrawn'
  | 'payment-method.added'
  | 'payment-method.changed'
  | 'payment-method.removed'
  | 'payment-method.made-default'
  | 'backup.made'
  | 'backup.restored'
  | 'master-key.replaced'
  | 'user.invited'
  | 'user.registered'
  | 'user.disabled'
  | 'user.enabled'
  | 'support.link-made'
  | 'support.link-redeemed'
  | 'support.asked'
  | 'support.answered'
  | 'support.refused'
  | 'payment.looked-up'
  | 'payment.canceled'
  | 'payment.refunded'
  | 'payment.settled-by-hand'
  | 'payments.account-changed'
  | 'payments.account-tested'
  | 'payments.reconciled'
  | 'payments.drift-dismissed'
  | 'autopay.run'

/** Who acted. */
type AuditActor =
  | { readonly kind: 'user'; readonly id: string; readonly name: string }
  /** A support employee, in a user's name. */
  | { readonly kind: 'support'; readonly name: string; readonly inNameOf: { readonly id: string; readonly name: string } }
  /** Whoever uses the command line. */
  | { readonly kind: 'operator'; readonly name: string }
  | { readonly kind: 'system'; readonly name: string }

/** The chain of entries that belong to no reseller. */
export const INSTALLATION = 0

/** The source of an operator's commands. */
export const COMMAND_LINE = 'command line'

export interface AuditEntry {
  /** The reseller whose chain the entry belongs to, or INSTALLATION. */
  readonly resellerId: number
  readonly action: AuditAction
  readonly actor: AuditActor
  /** What was acted on: a word and an id, as in `user 5f0c…`; never a secret or other personal data. */
  readonly subject: string
  readonly customerId?: number
  /** A network address, or COMMAND_LINE. */
  readonly source: string
  readonly detail?: string
  /** The values before and after. Only their keyed hashes are stored, which can prove a known value. */
  readonly before?: unknown
  readonly after?: unknown
}

/**
 * Writes an audit entry in the caller's transaction, whose role may be counterfoil_system, _reseller or _app: the action and its entry are
 * stored together or not at all. Call it last in a transaction, because it locks the reseller's chain.
 */
export const writeAudit = async (db: Db, keys: Keys, now: Date, entry: AuditEntry): Promise<void> => {
  const chainEnd = await lockChainEnd(db, entry.resellerId)
  const row = toRow(keys, now, entry, chainEnd)
  await insertEntry(db, { ...row, seal: sealOf(keys, row) })
}

/** The row of an entry that follows the end of its chain, without its seal. Stores nothing. */
const toRow = (keys: Keys, now: Date, entry: AuditEntry, chainEnd: { seq: number; seal: Buffer }): Omit<AuditRow, 'seal'> => {
  const { actor } = entry
  const inNameOf = actor.kind === 'support' ? actor.inNameOf : null
  return {
    reseller_id: entry.resellerId,
    seq: chainEnd.seq + 1,
    at: now,
    action: entry.action,
    actor_kind: actor.kind,
    actor_id: actor.kind === 'user' ? actor.id : null,
    actor_name: actor.name,
    in_name_of_id: inNameOf?.id ?? null,
    in_name_of: inNameOf?.name ?? null,
    subject: entry.subject,
    about_customer_id: entry.customerId ?? null,
    source: entry.source,
    detail: entry.detail ?? null,
    before_hash: entry.before === undefined ? null : valueHash(keys, entry.before),
    after_hash: entry.after === undefined ? null : valueHash(keys, entry.after),
    previous_seal: chainEnd.seal,
  }
}

/** The signed-in user as an audit actor, or the support employee in the user's name. */
export const auditActor = ({ userId, displayName, supporter }: Pick<Actor, 'userId' | 'displayName' | 'supporter'>): AuditActor =>
  supporter === null
    ? { kind: 'user', id: userId, name: displayName }
    : { kind: 'support', name: supporter, inNameOf: { id: userId, name: displayName } }
