import type { Db, Store } from '../db/database.ts'
import type { Keys } from '../kit/keys.ts'
import { type AuditRow, type ChainEnd, chainEnds, entriesAfter, strayEntries } from './audit.queries.ts'
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
}

export interface AuditReport {
  readonly chains: readonly AuditChain[]
  readonly faults: readonly AuditFault[]
  /** There are more faults than listed. */
  readonly isCut: boolean
}

const PAGE_ROWS = 1_000
const MAX_FAULTS = 100

/** Reads the whole audit log and finds every entry that was changed, removed or inserted. New entries may be written meanwhile. */
export const verifyAudit = async (store: Store, keys: Keys): Promise<AuditReport> => {
  const readAsSystem = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    store.transact({ role: 'counterfoil_system' }, work, { pool: 'background' })
  const ends = await readAsSystem(chainEnds)
  const faults: AuditFault[] = []
  for (const end of ends)
    faults.push(...(await findFaults(keys, end, (after) => readAsSystem((db) => entriesAfter(db, end, after, PAGE_ROWS)))))
  for (const stray of await readAsSystem((db) => strayEntries(db, MAX_FAULTS + 1))) faults.push({ ...stray, kind: 'inserted' })
  return {
    chains: ends.map(({ resellerId, seq, seal }) => ({ resellerId, entries: seq, lastSeal: seal.toString('hex') })),
    faults: faults.slice(0, MAX_FAULTS),
    isCut: faults.length > MAX_FAULTS,
  }
}

const findFaults = async (keys: Keys, end: ChainEnd, readPage: (after: number) => Promise<AuditRow[]>): Promise<AuditFault[]> => {
  const faults: AuditFault[] = []
  const addFault = (seq: number, kind: AuditFault['kind']): void => {
    if (faults.length <= MAX_FAULTS) faults.push({ resellerId: end.resellerId, seq, kind })
  }
  let previous: { seq: number; seal: Buffer } = { seq: 0, seal: FIRST_SEAL }
  for (;;) {
    const rows = await readPage(previous.seq)
    for (const { seal, ...row } of rows) {
      for (let seq = previous.seq + 1; seq < row.seq && faults.length <= MAX_FAULTS; seq += 1) addFault(seq, 'removed')
      const isChained = row.seq > previous.seq + 1 || row.previous_seal.equals(previous.seal)
      if (!isChained || !seal.equals(sealOf(keys, row))) addFault(row.seq, 'changed')
      previous = { seq: row.seq, seal }
    }
    if (rows.length === 0) break
  }
  for (let seq = previous.seq + 1; seq <= end.seq && faults.length <= MAX_FAULTS; seq += 1) addFault(seq, 'removed')
  if (previous.seq === end.seq && !previous.seal.equals(end.seal) && faults.at(-1)?.seq !== end.seq) addFault(end.seq, 'changed')
  return faults
}
