/** Bits of the filter: 16 MB, whatever is seen. At ten million texts about one in a hundred new ones is taken for a known one. */
const BITS = 2 ** 27
const PROBES = 3

/**
 * Says whether a text may have been seen before: never no for one that was, rarely yes for one that was not. So bounded memory tells of a
 * file of any length which few lines are worth a closer look (a Bloom filter).
 */
export const seenBefore = (): ((text: string) => boolean) => {
  const words = new Uint32Array(BITS / 32)
  return (text) => {
    let [first, second] = [0x811c9dc5, 0x9e3779b9]
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      first = Math.imul(first ^ code, 0x01000193)
      second = Math.imul(second ^ code, 0x85ebca6b) ^ (second >>> 13)
    }
    const [start, step] = [mixed(first), mixed(second) | 1]
    let isKnown = true
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = (start + Math.imul(probe, step)) & (BITS - 1)
      const mask = 1 << (bit & 31)
      const word = words[bit >>> 5] ?? 0
      if ((word & mask) === 0) isKnown = false
      words[bit >>> 5] = word | mask
    }
    return isKnown
  }
}

/** Spreads what two similar texts differ in over all bits. */
const mixed = (hash: number): number => {
  let value = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b)
  return (value ^ (value >>> 16)) >>> 0
}
