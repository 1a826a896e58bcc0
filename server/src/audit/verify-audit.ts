import type { Db, Store } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import { type AuditRow, type ChainEnd, chainEnds, entriesAfter, keyReplacements, strayEntries } from './audit.queries.ts'
import { FIRST_SEAL, sealOf } from './audit-seal.ts'

export interface AuditFault {
  readonly resellerId: number
  readonly seq: number
  /** changed: differs from what was sealed. removed: is missing. inserted: was never part of the chain. */
  readonly kind: 'changed' | 'removed' | 'inserted'
}

interface AuditChain {
  readonly resellerId: number
  readonly entries: number
  /** The chain's last seal. A copy kept elsewhere proves later that no entries were cut off. */
  readonly lastSeal: string
  /** The entry with which the chain begins anew under this master key, after the one before was lost; null where it did not. */
  readonly begunAnew: { readonly seq: number; readonly at: Date; readonly detail: string | null } | null
}

export interface AuditReport {
  readonly chains: readonly AuditChain[]
  readonly faults: readonly AuditFault[]
  /** There are more faults than listed. */
  readonly isCut: boolean
}

const PAGE_ROWS = 1_000
const MAX_FAULTS = 100

/**
 * Reads the whole audit log and finds every entry that was changed, removed or inserted. New entries may be written meanwhile. What a lost
 * key has sealed cannot be proved; there only missing and exchanged entries are found.
 */
export const verifyAudit = async (store: Store, keys: Keys): Promise<AuditReport> => {
  const readAsSystem = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    store.transact({ role: 'counterfoil_system' }, work, { pool: 'background' })
  const ends = await readAsSystem(chainEnds)
  const [chains, faults]: [AuditChain[], AuditFault[]] = [[], []]
  for (const end of ends) {
    const beginning = (await readAsSystem((db) => keyReplacements(db, end))).find((row) => isSealed(keys, row)) ?? null
    faults.push(
      ...(await findFaults(keys, end, beginning?.seq ?? 1, (after) => readAsSystem((db) => entriesAfter(db, end, after, PAGE_ROWS)))),
    )
    chains.push({
      resellerId: end.resellerId,
      entries: end.seq,
      lastSeal: end.seal.toString('hex'),
      begunAnew: beginning === null ? null : { seq: beginning.seq, at: beginning.at, detail: beginning.detail },
    })
  }
  for (const stray of await readAsSystem((db) => strayEntries(db, MAX_FAULTS + 1))) faults.push({ ...stray, kind: 'inserted' })
  return {
    chains,
    faults: faults.slice(0, MAX_FAULTS),
    isCut: faults.length > MAX_FAULTS,
  }
}

/** Whether an entry's seal is the one that these keys give it. */
const isSealed = (keys: Keys, { seal, ...row }: AuditRow): boolean => seal.equals(sealOf(keys, row))

/**
 * Reads a chain to its end, and finds the numbers that are missing and the entries that do not follow or are not sealed.
 * @param sealedFrom the first entry that these keys have sealed
 */
const findFaults = async (
  keys: Keys,
  end: ChainEnd,
  sealedFrom: number,
  readPage: (after: number) => Promise<AuditRow[]>,
): Promise<AuditFault[]> => {
  const faults: AuditFault[] = []
  const addFault = (seq: number, kind: AuditFault['kind']): void => {
    if (faults.length <= MAX_FAULTS) faults.push({ resellerId: end.resellerId, seq, kind })
  }
  let previous: { seq: number; seal: Buffer } = { seq: 0, seal: FIRST_SEAL }
  for (;;) {
    const rows = await readPage(previous.seq)
    for (const row of rows) {
      for (let seq = previous.seq + 1; seq < row.seq && faults.length <= MAX_FAULTS; seq += 1) addFault(seq, 'removed')
      const isChained = row.seq > previous.seq + 1 || row.previous_seal.equals(previous.seal)
      if (!isChained || (row.seq >= sealedFrom && !isSealed(keys, row))) addFault(row.seq, 'changed')
      previous = row
    }
    if (rows.length === 0) break
  }
  for (let seq = previous.seq + 1; seq <= end.seq && faults.length <= MAX_FAULTS; seq += 1) addFault(seq, 'removed')
  if (previous.seq === end.seq && !previous.seal.equals(end.seal) && faults.at(-1)?.seq !== end.seq) addFault(end.seq, 'changed')
  return faults
}
