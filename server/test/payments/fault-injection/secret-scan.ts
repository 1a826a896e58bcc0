import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A secret that must be found nowhere. */
export interface MarkedSecret {
  readonly name: string
  readonly text: string
}

/** The first twelve digits of every card number of the test; only the last four may be kept. */
const CARD_START = '492973984512'

/** The nth card number with this prefix and a valid check digit. */
export const markedCard = (nth: number): string => {
  const findInBytes: string[] = []
  for (let end = 0; end < 10_000 && findInBytes.length <= nth; end += 1) {
    const number = `${CARD_START}${String(end).padStart(4, '0')}`
    if (luhn(number) % 10 === 0) findInBytes.push(number)
  }
  return findInBytes[nth] ?? ''
}

const luhn = (number: string): number =>
  [...number].toReversed().reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)

export const CARD_PREFIX_SECRET: MarkedSecret = { name: 'a card number', text: CARD_START }

/** A text in every form in which it could leak: plain, in groups, base64 at each offset, percent-encoded, hex, reversed, UTF-16. */
const encodings = ({ text }: MarkedSecret): Buffer[] => {
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

/** The base64 groups of a text that do not depend on the bytes before it, in both alphabets. */
const base64At = (bytes: Buffer, offset: number): string[] => {
  const from = (3 - offset) % 3
  const inner = bytes.subarray(from, from + Math.floor((bytes.length - from) / 3) * 3)
  return [inner.toString('base64'), inner.toString('base64url')]
}

/** Which secrets occur in the bytes. */
export const findInBytes = (place: string, bytes: Buffer, secrets: readonly MarkedSecret[]): string[] =>
  secrets.flatMap((secret) =>
    encodings(secret).flatMap((form) => {
      const at = bytes.indexOf(form)
      return at < 0 ? [] : [`${secret.name} in ${place}: …${bytes.subarray(Math.max(0, at - 60), at + 60).toString('latin1')}…`]
    }),
  )

/** The same for every file of a folder. */
export const findInFolder = async (folder: string, secrets: readonly MarkedSecret[]): Promise<{ hits: string[]; bytes: number }> => {
  const hits: string[] = []
  let total = 0
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = await readFile(file)
    total += bytes.length
    hits.push(...findInBytes(file, bytes, secrets))
  }
  return { hits, bytes: total }
}
