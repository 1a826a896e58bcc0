import type { TextContent } from 'pdfjs-dist/types/src/display/api.js'
import { expect } from 'vitest'

/** A part of a line as a PDF reader finds it, in points from the page's lower left corner. */
export interface Word {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly base: number
  readonly size: number
}

/** What can be read on a page, with its positions. */
export const wordsOnPage = ({ items }: TextContent): Word[] =>
  items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return []
    const [, , , size, left, base] = item.transform as [number, number, number, number, number, number]
    return [{ text: item.str, left, right: left + item.width, base, size }]
  })

/** Expects that nothing stands outside an A4 page's margins, and no word over another one. */
export const expectCleanPages = (pages: readonly Word[][]): void => {
  for (const page of pages) {
    expect(page.filter(({ left, right, base }) => left < 47 || right > 548 || base < 25 || base > 810)).toEqual([])
    expect(page.flatMap((word, index) => page.slice(index + 1).filter((other) => overlap(word, other)))).toEqual([])
  }
}

const overlap = (one: Word, other: Word): boolean =>
  Math.abs(one.base - other.base) < Math.min(one.size, other.size) * 0.7 && one.left < other.right - 0.5 && other.left < one.right - 0.5
