/** Counts the files of a ZIP that arrives in chunks of any size. */
export interface ZipEntryCounter {
  /** Reads the next chunk. */
  add(chunk: Uint8Array): void
  /** The number of files that have begun. */
  entries(): number
  /** True when the last chunk ends with the end of the archive, and the archive has as many files as it says. */
  isComplete(): boolean
}

/** A record of a ZIP file: how long its head is, and how many bytes follow the head. */
interface RecordKind {
  readonly headLength: number
  readonly rest: (head: DataView) => number
}

const SIGNATURE_LENGTH = 4
const LOCAL_FILE = 0x04_03_4b_50
const END = 0x06_05_4b_50

/** By their signatures (APPNOTE.TXT, 4.3). The server stores files as they are, so their sizes stand in front of them. */
const RECORDS: Readonly<Record<number, RecordKind>> = {
  [LOCAL_FILE]: { headLength: 30, rest: (head) => head.getUint32(18, true) + head.getUint16(26, true) + head.getUint16(28, true) },
  0x02_01_4b_50: { headLength: 46, rest: (head) => head.getUint16(28, true) + head.getUint16(30, true) + head.getUint16(32, true) },
  0x06_06_4b_50: { headLength: 12, rest: (head) => head.getUint32(4, true) },
  0x07_06_4b_50: { headLength: 20, rest: () => 0 },
  [END]: { headLength: 22, rest: (head) => head.getUint16(20, true) },
}
const MAX_HEAD_LENGTH = 46

/** A counter of a ZIP's files, at zero. It reads the heads of the records, and none of their data. */
export const createZipEntryCounter = (): ZipEntryCounter => {
  const head = new Uint8Array(MAX_HEAD_LENGTH)
  const view = new DataView(head.buffer)
  let headLength = 0
  let toSkip = 0
  let entries = 0
  let announced: number | null = null
  let isBroken = false

  const readHead = (): void => {
    if (headLength < SIGNATURE_LENGTH) return
    const signature = view.getUint32(0, true)
    const record = RECORDS[signature]
    if (record === undefined || announced !== null) isBroken = true
    else if (headLength === record.headLength) {
      if (signature === LOCAL_FILE) entries += 1
      if (signature === END) announced = view.getUint16(10, true)
      toSkip = record.rest(view)
      headLength = 0
    }
  }

  return {
    add: (chunk) => {
      let at = 0
      while (at < chunk.length) {
        if (isBroken) return
        const skipped = Math.min(toSkip, chunk.length - at)
        at += skipped
        toSkip -= skipped
        if (at === chunk.length) return
        head[headLength] = chunk[at] ?? 0
        headLength += 1
        at += 1
        readHead()
      }
    },
    entries: () => entries,
    isComplete: () => !isBroken && headLength === 0 && toSkip === 0 && announced === entries,
  }
}
