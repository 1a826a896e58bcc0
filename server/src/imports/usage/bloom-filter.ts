/** Bits of the filter: 16 MB, whatever is seen. At ten million texts about one in a hundred new ones is taken for a known one. */
const BITS = 2 ** 27
const PROBES = 3

/**
 * Says whether a text may have been seen before: never no for one that was, rarely yes for one that was not. So bounded memory tells of a
 * file of any length which few lines are worth a closer look (a Bloom filter).
 */
export const createBloomFilter = (): ((text: string) => boolean) => {
  const bits = new Uint32Array(BITS / 32)
  return (text) => {
    let [firstHash, secondHash] = [0x811c9dc5, 0x9e3779b9]
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      firstHash = Math.imul(firstHash ^ code, 0x01000193)
      secondHash = Math.imul(secondHash ^ code, 0x85ebca6b) ^ (secondHash >>> 13)
    }
    const [start, step] = [mixHash(firstHash), mixHash(secondHash) | 1]
    let isKnown = true
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = (start + Math.imul(probe, step)) & (BITS - 1)
      const mask = 1 << (bit & 31)
      const bitsOfWord = bits[bit >>> 5] ?? 0
      if ((bitsOfWord & mask) === 0) isKnown = false
      bits[bit >>> 5] = bitsOfWord | mask
    }
    return isKnown
  }
}

/** Spreads what two similar texts differ in over all bits. */
const mixHash = (hash: number): number => {
  let value = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b)
  return (value ^ (value >>> 16)) >>> 0
}
