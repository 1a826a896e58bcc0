import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What must be found nowhere, and what it is. */
export interface Canary {
  readonly name: string
  readonly text: string
}

/** Twelve digits that every card number of the test begins with: what may be kept is the last four, and those differ. */
const CARD_START = '492973984512'

/** A card number with a right check digit, the nth of those that begin so. */
export const canaryCard = (nth: number): string => {
  const found: string[] = []
  for (let end = 0; end < 10_000 && found.length <= nth; end += 1) {
    const number = `${CARD_START}${String(end).padStart(4, '0')}`
    if (luhn(number) % 10 === 0) found.push(number)
  }
  return found[nth] ?? ''
}

const luhn = (number: string): number =>
  [...number].toReversed().reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)

export const ALL_CARDS: Canary = { name: 'a card number', text: CARD_START }

/** A text in every form in which it might have been left lying: itself, in groups, in base64 at each offset, percent-encoded, hex, reversed, UTF-16. */
const formsOf = ({ text }: Canary): Buffer[] => {
  const bytes = Buffer.from(text)
  const groups = /^\d+$/.test(text) ? [' ', '-', '%20', '+'].map((between) => (text.match(/.{4}/g) ?? []).join(between)) : []
  const hex = bytes.toString('hex')
  const texts = [
    text,
    [...text].toReversed().join(''),
    ...groups,
    ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset)),
    hex,
    hex.toUpperCase(),
    hex.replaceAll(/../g, '%$&'),
    hex.replaceAll(/../g, '%$&').toUpperCase(),
  ]
  return [...texts.map((one) => Buffer.from(one)), Buffer.from(text, 'utf16le')]
}

/** What is left of a text in base64, however many bytes stand before it: the whole groups of three, in both alphabets. */
const base64At = (bytes: Buffer, offset: number): string[] => {
  const from = (3 - offset) % 3
  const inner = bytes.subarray(from, from + Math.floor((bytes.length - from) / 3) * 3)
  return [inner.toString('base64'), inner.toString('base64url')]
}

/** Which of the canaries stand in the bytes, in which place. */
export const found = (place: string, bytes: Buffer, canaries: readonly Canary[]): string[] =>
  canaries.flatMap((canary) =>
    formsOf(canary).flatMap((form) => {
      const at = bytes.indexOf(form)
      return at < 0 ? [] : [`${canary.name} in ${place}: …${bytes.subarray(Math.max(0, at - 60), at + 60).toString('latin1')}…`]
    }),
  )

/** The same over every file of a folder. */
export const foundInFolder = async (folder: string, canaries: readonly Canary[]): Promise<{ hits: string[]; bytes: number }> => {
  const hits: string[] = []
  let total = 0
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = await readFile(file)
    total += bytes.length
    hits.push(...found(file, bytes, canaries))
  }
  return { hits, bytes: total }
}
