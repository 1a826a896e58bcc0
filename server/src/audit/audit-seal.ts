import type { Keys } from '../kit/keys.ts'
import type { AuditEntryTable } from '../db/tables/tenants.ts'

/** The previous seal of a chain's first entry. */
export const FIRST_SEAL = Buffer.alloc(0)

/** The action of the entry with which a chain begins anew after a master key was lost. */
export const KEY_REPLACED = 'master-key.replaced'

/**
 * The keyed hash over an entry, its number and the previous entry's seal. Nobody can forge one without the master key, whatever rights
 * they have in the database.
 */
export const sealOf = (keys: Keys, row: Omit<AuditEntryTable, 'seal'>): Buffer => keys.mac('audit', 'entry', canonicalText(row))

/**
 * Every column in a fixed order, as the text that is sealed.
 * Append new columns at the end and only where they have a value, so that old seals stay valid.
 */
const canonicalText = (row: Omit<AuditEntryTable, 'seal'>): string =>
  JSON.stringify([
    row.reseller_id,
    row.seq,
    row.at.toISOString(),
    row.action,
    row.actor_kind,
    row.actor_id,
    row.actor_name,
    row.in_name_of_id,
    row.in_name_of,
    row.subject,
    row.about_customer_id,
    row.source,
    row.detail,
    row.before_hash?.toString('hex') ?? null,
    row.after_hash?.toString('hex') ?? null,
    row.previous_seal.toString('hex'),
  ])

/** The keyed hash of a value, such as a row before a change; the order of its fields does not matter. */
export const valueHash = (keys: Keys, value: unknown): Buffer => keys.mac('audit', 'value', JSON.stringify(value, sortKeys))

/** A replacer for JSON.stringify: the fields of an object in the order of their names, and a bigint as text. */
const sortKeys = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
