import { unprintableLetters } from './pdf/canvas/printable-text.ts'

const MAX_NAMED = 5
const MAX_LETTERS = 10

/** Texts of documents that no font of this installation can print in full. */
export interface UnprintableNames {
  /** Notes a text if it has letters that no font has. */
  note(name: string): void
  /** A sentence that names the first ones and their letters; null where there are none. */
  text(): string | null
}

/** A sentence about those of the names that documents cannot show in full; null where they can show all. */
export const unprintableNote = (names: Iterable<string>): string | null => {
  const found = unprintableNames()
  for (const name of names) found.note(name)
  return found.text()
}

/** Collects the texts that documents cannot show in full. Keeps a few of them and counts the rest. */
export const unprintableNames = (): UnprintableNames => {
  const named: string[] = []
  const letters = new Set<string>()
  let count = 0
  return {
    note: (name) => {
      const missing = unprintableLetters(name)
      if (missing.length === 0) return
      count += 1
      if (named.length < MAX_NAMED) named.push(name)
      for (const letter of missing) if (letters.size < MAX_LETTERS) letters.add(letter)
    },
    text: () => {
      if (count === 0) return null
      const subject = count === 1 ? '1 name has' : `${count.toLocaleString('en')} names have`
      const others = count > named.length ? ` and ${(count - named.length).toLocaleString('en')} more` : ''
      return `${subject} letters that no font here has (${[...letters].join(' ')}): ${named.join(', ')}${others}. PDFs show □ in their place.`
    },
  }
}
