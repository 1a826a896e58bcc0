/** A stream of chance that is the same on every machine for the same words. */
export interface RandomStream {
  /** 0 ≤ x < 1. */
  fraction(): number
  /** A whole number, both ends included. */
  int(min: number, max: number): number
  /** One of the list; throws RangeError when it is empty. */
  pick<T>(list: readonly T[]): T
  /** An index of the list, as likely as its weight says. */
  weightedIndex(weights: readonly number[]): number
}

/** Begins a stream from a seed number and the name of what it is for, so that one part's draws never shift another's. */
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

/** Fills each # of a pattern with a digit of `serial`, last digit last: `digits('0491 57# ###', 42)` is "0491 570 042". */
export const fillDigits = (pattern: string, serial: number): string => {
  const places = pattern.split('#').length - 1
  const text = String(serial % 10 ** places).padStart(places, '0')
  let at = 0
  return pattern.replaceAll('#', () => text[at++] ?? '0')
}
