import { resolve } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { sealOf } from '../audit/audit-seal.ts'
import { type AuditRow, lastEntry } from '../audit/audit.queries.ts'
import { deriveKeys, type Keys, masterKeyFile, readMasterKey } from '../kit/keys.ts'
import { unsealClientSecret } from '../sso/secrets.ts'
import type { Db, Store } from '../db/database.ts'
import { keyMark, shortMark, storedKeyMark } from './key-mark.ts'

/** The settings that lead to the master key. */
export type KeySettings = Pick<Config, 'dataDir' | 'masterKey'>

/** Whether the master key of these settings belongs to a database. */
export interface KeyCheck {
  /** The keys of the settings; null where they lead to none. */
  readonly keys: Keys | null
  /** Why nothing may be written with them, in sentences; null when it may. */
  readonly problem: string | null
  /** Whether the database carries the mark of a key. */
  readonly isMarked: boolean
}

/** What a database says of the key that it was filled with. */
interface Evidence {
  readonly mark: Buffer | undefined
  /** Whether anything in it depends on a key. */
  readonly isFilled: boolean
  /** What only its key can have sealed; null where there is nothing of the kind. */
  readonly sealed: Sealed | null
}

interface Sealed {
  readonly name: string
  isOf(keys: Keys): boolean
}

/** Where the master key of these settings is looked for, in words: the file's path, or the setting MASTER_KEY. */
export const keyPlace = ({ dataDir, masterKey }: KeySettings): string =>
  masterKey === null ? resolve(masterKeyFile(dataDir)) : 'the setting MASTER_KEY'

/**
 * Checks the master key of these settings by the database, without changing anything.
 * @param store null where there is no database yet
 * @throws the system's error when the key's file cannot be read; OperatorError when it is damaged
 */
export const checkKey = async (store: Store | null, settings: KeySettings): Promise<KeyCheck> => {
  const master = settings.masterKey ?? readMasterKey(settings.dataDir)
  const keys = master === null ? null : deriveKeys(master)
  const evidence = store === null ? NO_EVIDENCE : await readEvidence(store)
  const isMarked = evidence.mark !== undefined
  if (!isMarked && !evidence.isFilled) return { keys, problem: null, isMarked }
  if (keys !== null && doesFit(evidence, keys)) return { keys, problem: null, isMarked }
  return { keys, problem: problemOf(evidence, keys, settings), isMarked }
}

/** Whether the keys belong to the database: by its mark, or without one by what is sealed. Without either, only a person can know. */
const doesFit = ({ mark, sealed }: Evidence, keys: Keys): boolean =>
  mark === undefined ? sealed?.isOf(keys) === true : mark.equals(keyMark(keys))

/** The sentences of a problem: where the key was looked for, which one it should be, and what to do. */
const problemOf = (evidence: Evidence, keys: Keys | null, settings: KeySettings): string => {
  const place = keyPlace(settings)
  const isUnknown = evidence.mark === undefined && evidence.sealed === null
  if (keys !== null && isUnknown)
    return `Nothing tells whether the master key in ${place} (mark ${shortMark(keyMark(keys))}) is the one that this database was filled with: it has no mark of a key, no entry in the audit log and no sealed secret. If you know that it is, counterfoil migrate --accept-new-key goes on with it, and whatever that command says, nothing is lost.`
  const found =
    keys === null
      ? `There is no master key in ${place}, and MASTER_KEY is not set.`
      : `The master key in ${place} (mark ${shortMark(keyMark(keys))}) is not the one that this database was filled with.`
  const wanted =
    evidence.mark === undefined
      ? `It should be the one that ${evidence.sealed === null ? 'the passwords were made with' : `sealed ${evidence.sealed.name}`}.`
      : `It should be the one with the mark ${shortMark(evidence.mark)}.`
  return `${found} ${wanted} ${remedyOf(evidence, settings)} If it is lost for ever, counterfoil migrate --accept-new-key goes on without it: passwords and accounts at payment companies are lost then.`
}

/** The sentence of a problem that says what to set. Where the file's key fits and MASTER_KEY does not, to take that out. */
const remedyOf = (evidence: Evidence, settings: KeySettings): string => {
  if (settings.masterKey !== null && doesFileFit(evidence, settings))
    return `The one in ${resolve(masterKeyFile(settings.dataDir))} fits: take MASTER_KEY out of the settings.`
  return settings.masterKey === null
    ? 'Set DATA_DIR to the folder of its master.key, or bring that file back.'
    : 'Set MASTER_KEY to it, or DATA_DIR to the folder of its master.key.'
}

/** Whether the key in the data folder's file belongs to the database, whatever MASTER_KEY is. False for a file that cannot be read. */
const doesFileFit = (evidence: Evidence, { dataDir }: KeySettings): boolean => {
  try {
    const master = readMasterKey(dataDir)
    return master !== null && doesFit(evidence, deriveKeys(master))
  } catch {
    return false // no hint from a file that cannot be read
  }
}

const NO_EVIDENCE: Evidence = { mark: undefined, isFilled: false, sealed: null }

/**
 * Reads what the database says of its key: the mark, whether there is any data, and what is sealed: the last audit entry, else a client
 * secret.
 */
const readEvidence = async (store: Store): Promise<Evidence> => {
  const tables = await store.transact({ role: 'owner' }, existingTables)
  if (tables.size === 0) return NO_EVIDENCE
  return store.transact({ role: 'counterfoil_system' }, async (db) => {
    const mark = tables.has('master_key_mark') ? await storedKeyMark(db) : undefined
    const entry = tables.has('audit_entry') ? await lastEntry(db) : undefined
    const isFilled = entry !== undefined || (await hasRows(db, tables, 'app_user')) || (await hasRows(db, tables, 'customer'))
    return { mark, isFilled, sealed: entry === undefined ? await sealedClientSecret(db, tables) : sealedEntry(entry) }
  })
}

/** The proof by the seal of an audit entry. */
const sealedEntry = ({ seal, ...row }: AuditRow): Sealed => ({
  name: 'the last entry of the audit log',
  isOf: (keys) => seal.equals(sealOf(keys, row)),
})

/** The proof by a client secret of single sign-on; null without one. Of what is sealed, nothing else is older than the audit log. */
const sealedClientSecret = async (db: Db, tables: ReadonlySet<EvidenceTable>): Promise<Sealed | null> => {
  const table = (['sso_organization', 'sso_company'] as const).find((name) => tables.has(name))
  if (table === undefined) return null
  const { rows } = await sql<{ resellerId: number; secret: Buffer }>`
    select reseller_id as "resellerId", client_secret as secret from ${sql.table(table)} where client_secret is not null
    order by id limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  return {
    name: 'the client secrets of single sign-on',
    isOf: (keys) => canOpen(() => unsealClientSecret(keys, row.resellerId, row.secret)),
  }
}

/** Whether the function does not throw. */
const canOpen = (open: () => unknown): boolean => {
  try {
    open()
    return true
  } catch {
    return false
  }
}

/** The tables that tell something of the key; an older schema lacks some. */
const EVIDENCE_TABLES = ['master_key_mark', 'audit_entry', 'app_user', 'customer', 'sso_organization', 'sso_company'] as const
type EvidenceTable = (typeof EVIDENCE_TABLES)[number]

/** Which of EVIDENCE_TABLES the database has. Runs as the owner. */
const existingTables = async (db: Db): Promise<ReadonlySet<EvidenceTable>> => {
  const { rows } = await sql<{ name: EvidenceTable }>`
    select name from unnest(${[...EVIDENCE_TABLES]}::text[]) name where to_regclass('public.' || name) is not null`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Whether a table has any row; false for a table that is missing. */
const hasRows = async (db: Db, tables: ReadonlySet<EvidenceTable>, table: EvidenceTable): Promise<boolean> => {
  if (!tables.has(table)) return false
  const { rows } = await sql<{ has: boolean }>`select exists (select from ${sql.table(table)}) as has`.execute(db)
  return rows[0]?.has === true
}
