import { inflateSync } from 'node:zlib'

const WOFF = 0x774f4646
const WOFF_HEADER = 44
const WOFF_ENTRY = 20
const HEADER = 12
const ENTRY = 16

/** A WOFF file as the TrueType or OpenType file inside; another file as it is. fontkit would unpack a table each time it reads a glyph. */
export const unpackWoff = (file: Buffer): Buffer => {
  if (file.readUInt32BE(0) !== WOFF) return file
  const count = file.readUInt16BE(12)
  const head = Buffer.alloc(HEADER + count * ENTRY)
  head.writeUInt32BE(file.readUInt32BE(4), 0)
  head.writeUInt16BE(count, 4)
  const tables: Buffer[] = []
  let offset = head.length
  for (let at = 0; at < count; at++) {
    const entry = WOFF_HEADER + at * WOFF_ENTRY
    const [start, packedLength, length] = [4, 8, 12].map((field) => file.readUInt32BE(entry + field)) as [number, number, number]
    const packed = file.subarray(start, start + packedLength)
    const table = packedLength < length ? inflateSync(packed) : packed
    const target = HEADER + at * ENTRY
    file.copy(head, target, entry, entry + 4)
    file.copy(head, target + 4, entry + 16, entry + 20)
    head.writeUInt32BE(offset, target + 8)
    head.writeUInt32BE(length, target + 12)
    tables.push(table, Buffer.alloc(-length & 3))
    offset += length + (-length & 3)
  }
  return Buffer.concat([head, ...tables])
}
