/** A deterministic stream of random numbers. */
export interface RandomStream {
  /** 0 ≤ x < 1. */
  fraction(): number
  /** A whole number, both ends included. */
  int(min: number, max: number): number
  /** A random element. @throws RangeError when the list is empty */
  pick<T>(list: readonly T[]): T
  /** A random index, with the probability of its weight. */
  weightedIndex(weights: readonly number[]): number
}

/** Creates a stream from a seed and a purpose, so that the draws for one purpose never shift those for another. */
export const createRandom = (seed: number, purpose: string): RandomStream => {
  let state = seed >>> 0
  for (const letter of purpose) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  const fraction = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000
  }
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new RangeError('nothing to pick from')
    return list[Math.floor(fraction() * list.length)] as T
  }
  return {
    fraction,
    pick,
    int: (min, max) => min + Math.floor(fraction() * (max - min + 1)),
    weightedIndex: (weights) => {
      let remaining = fraction() * weights.reduce((sum, weight) => sum + weight, 0)
      return Math.max(
        weights.findIndex((weight) => {
          remaining -= weight
          return remaining < 0
        }),
        0,
      )
    },
  }
}

/** Fills each # of a pattern with a digit of `serial`: `fillDigits('0491 57# ###', 42)` is "0491 570 042". */
export const fillDigits = (pattern: string, serial: number): string => {
  const places = pattern.split('#').length - 1
  const text = String(serial % 10 ** places).padStart(places, '0')
  let at = 0
  return pattern.replaceAll('#', () => text[at++] ?? '0')
}
