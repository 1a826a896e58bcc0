/** 16 MB. With ten million texts the false positive rate is about 1 %. */
const BITS = 2 ** 27
const PROBES = 3

/**
 * Creates a Bloom filter: a function that adds a text and returns whether it may have been added before. False is certain, true is
 * probable. It finds the few lines of a file that may repeat an id, in bounded memory.
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

/** Spreads small differences of a hash over all its bits. */
const mixHash = (hash: number): number => {
  let value = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  value = Math.imul(value ^ (value >>> 15), 0x846ca68b)
  return (value ^ (value >>> 16)) >>> 0
}
