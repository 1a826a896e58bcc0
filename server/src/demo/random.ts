/** A stream of chance that is the same on every machine for the same words. */
export interface Chance {
  /** 0 ≤ x < 1. */
  share(): number
  /** A whole number, both ends included. */
  whole(least: number, most: number): number
  /** One of the list; throws RangeError when it is empty. */
  pick<T>(list: readonly T[]): T
  /** An index of the list, as likely as its weight says. */
  weighted(weights: readonly number[]): number
}

/** Begins a stream from a seed number and the name of what it is for, so that one part's draws never shift another's. */
export const chanceOf = (seed: number, purpose: string): Chance => {
  let state = seed >>> 0
  for (const letter of purpose) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  const share = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000
  }
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new RangeError('nothing to pick from')
    return list[Math.floor(share() * list.length)] as T
  }
  return {
    share,
    pick,
    whole: (least, most) => least + Math.floor(share() * (most - least + 1)),
    weighted: (weights) => {
      let left = share() * weights.reduce((sum, weight) => sum + weight, 0)
      return Math.max(
        weights.findIndex((weight) => {
          left -= weight
          return left < 0
        }),
        0,
      )
    },
  }
}

/** Fills each # of a pattern with a digit of `serial`, last digit last: `digits('0491 57# ###', 42)` is "0491 570 042". */
export const digits = (pattern: string, serial: number): string => {
  const places = pattern.split('#').length - 1
  const text = String(serial % 10 ** places).padStart(places, '0')
  let at = 0
  return pattern.replaceAll('#', () => text[at++] ?? '0')
}
