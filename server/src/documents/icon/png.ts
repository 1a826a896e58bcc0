import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const BIT_DEPTH = 8
const RGB = 2

/** A square picture as PNG. @param pixels red, green and blue of each, row by row */
export const encodePng = (pixels: Buffer, size: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([BIT_DEPTH, RGB, 0, 0, 0], 8)
  const rows = Array.from({ length: size }, (_, y) => Buffer.concat([Buffer.of(0), pixels.subarray(y * size * 3, (y + 1) * size * 3)]))
  return Buffer.concat([
    SIGNATURE,
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(Buffer.concat(rows))),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

/** A chunk of a PNG file: its length, type, data and checksum. */
const chunkOf = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
