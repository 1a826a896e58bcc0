import { resolve } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { sealOf } from '../../audit/audit-seal.ts'
import { lastEntry } from '../../audit/audit.queries.ts'
import { deriveKeys, type Keys, masterKeyFile, readMasterKey } from '../../kit/keys.ts'
import type { Db, Store } from '../database.ts'
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
  /** Whether these keys sealed the last entry of the audit log; null where there is none. */
  didSealLastEntry(keys: Keys): boolean | null
}

/** Where the master key of these settings is looked for. */
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

const doesFit = ({ mark, didSealLastEntry }: Evidence, keys: Keys): boolean =>
  mark === undefined ? didSealLastEntry(keys) !== false : mark.equals(keyMark(keys))

/** The sentences of a problem: where the key was looked for, which one it should be, and what to do. */
const problemOf = (evidence: Evidence, keys: Keys | null, settings: KeySettings): string => {
  const place = keyPlace(settings)
  const found =
    keys === null
      ? `There is no master key in ${place}, and MASTER_KEY is not set.`
      : `The master key in ${place} (mark ${shortMark(keyMark(keys))}) is not the one that this database was filled with.`
  const wanted =
    evidence.mark === undefined
      ? 'It should be the one that sealed the last entry of the audit log.'
      : `It should be the one with the mark ${shortMark(evidence.mark)}.`
  return `${found} ${wanted} ${remedyOf(evidence, settings)} If it is lost for ever, counterfoil migrate --accept-new-key goes on without it: passwords and accounts at payment companies are lost then.`
}

const remedyOf = (evidence: Evidence, settings: KeySettings): string => {
  if (settings.masterKey !== null && doesFileFit(evidence, settings))
    return `The one in ${resolve(masterKeyFile(settings.dataDir))} fits: take MASTER_KEY out of the settings.`
  return settings.masterKey === null
    ? 'Set DATA_DIR to the folder of its master.key, or bring that file back.'
    : 'Set MASTER_KEY to it, or DATA_DIR to the folder of its master.key.'
}

const doesFileFit = (evidence: Evidence, { dataDir }: KeySettings): boolean => {
  try {
    const master = readMasterKey(dataDir)
    return master !== null && doesFit(evidence, deriveKeys(master))
  } catch {
    return false // no hint from a file that cannot be read
  }
}

const NO_EVIDENCE: Evidence = { mark: undefined, isFilled: false, didSealLastEntry: () => null }

const readEvidence = async (store: Store): Promise<Evidence> => {
  const tables = await store.transact({ role: 'owner' }, existingTables)
  if (tables.size === 0) return NO_EVIDENCE
  return store.transact({ role: 'counterfoil_system' }, async (db) => {
    const mark = tables.has('master_key_mark') ? await storedKeyMark(db) : undefined
    const entry = tables.has('audit_entry') ? await lastEntry(db) : undefined
    const isFilled = entry !== undefined || (await hasRows(db, tables, 'app_user')) || (await hasRows(db, tables, 'customer'))
    const didSealLastEntry = (keys: Keys): boolean | null => {
      if (entry === undefined) return null
      const { seal, ...row } = entry
      return seal.equals(sealOf(keys, row))
    }
    return { mark, isFilled, didSealLastEntry }
  })
}

/** The tables that tell something of the key; an older schema lacks some. */
const EVIDENCE_TABLES = ['master_key_mark', 'audit_entry', 'app_user', 'customer'] as const
type EvidenceTable = (typeof EVIDENCE_TABLES)[number]

const existingTables = async (db: Db): Promise<ReadonlySet<EvidenceTable>> => {
  const { rows } = await sql<{ name: EvidenceTable }>`
    select name from unnest(${[...EVIDENCE_TABLES]}::text[]) name where to_regclass('public.' || name) is not null`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

const hasRows = async (db: Db, tables: ReadonlySet<EvidenceTable>, table: EvidenceTable): Promise<boolean> => {
  if (!tables.has(table)) return false
  const { rows } = await sql<{ has: boolean }>`select exists (select from ${sql.table(table)}) as has`.execute(db)
  return rows[0]?.has === true
}
