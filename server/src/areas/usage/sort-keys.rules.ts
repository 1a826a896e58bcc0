import type { Key } from './usage-rows.queries.ts'

/** Lists of keys in the order of a sort, kept for about a minute, so that the pages behind the first ones cost no further sort. */
export interface SortedKeys {
  /** The keys of one page; makes the whole list when it is not there. At most two lists are made at once. */
  page(name: string, make: () => Promise<Buffer>, slice: { offset: number; limit: number }, now: Date): Promise<Key[]>
}

const KEY_BYTES = 16
const KEPT_MS = 60_000
/** All lists together: four million keys. */
const MOST_BYTES = 64_000_000
const MADE_AT_ONCE = 2

interface List {
  readonly bytes: Promise<Buffer>
  readonly madeAt: number
  size: number
}

export const keptSorts = (): SortedKeys => {
  const lists = new Map<string, List>()
  const line: (() => void)[] = []
  let making = 0

  const inTurn = async (make: () => Promise<Buffer>): Promise<Buffer> => {
    if (making >= MADE_AT_ONCE) await new Promise<void>((resolve) => line.push(resolve))
    else making += 1
    try {
      return await make()
    } finally {
      const next = line.shift()
      if (next === undefined) making -= 1
      else next()
    }
  }

  const forget = (now: number): void => {
    let kept = 0
    for (const [name, list] of [...lists].toReversed()) {
      kept += list.size
      if (now - list.madeAt > KEPT_MS || kept > MOST_BYTES) lists.delete(name)
    }
  }

  return {
    page: async (name, make, { offset, limit }, now) => {
      forget(now.getTime())
      const known = lists.get(name)
      const list: List = known ?? { bytes: inTurn(make), madeAt: now.getTime(), size: 0 }
      if (known === undefined) lists.set(name, list)
      try {
        const bytes = await list.bytes
        list.size = bytes.length
        return keysIn(bytes.subarray(offset * KEY_BYTES, (offset + limit) * KEY_BYTES))
      } catch (error) {
        lists.delete(name)
        throw error
      }
    },
  }
}

const keysIn = (bytes: Buffer): Key[] => {
  const keys: Key[] = []
  for (let at = 0; at + KEY_BYTES <= bytes.length; at += KEY_BYTES)
    keys.push({ id: Number(bytes.readBigInt64BE(at)), atMicros: Number(bytes.readBigInt64BE(at + 8)) })
  return keys
}
