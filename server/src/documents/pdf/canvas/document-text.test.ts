import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderPdf } from '../render-pdf.ts'
import { BODY, drawText, PAGE, wrapText } from './canvas.ts'

const missing = spawnSync('pdftotext', ['-v']).error !== undefined
const note = missing ? ' (skipped: pdftotext is not on the PATH)' : ''

const brand = { name: 'Northwind', colour: '#0f8f86', logo: null }
const WIDE = { left: PAGE.left, width: PAGE.right - PAGE.left }

const draw = (lines: readonly string[]): Promise<Uint8Array> =>
  renderPdf({ title: 'Invoice', author: 'Northwind', day: '2026-12-01', language: 'en', brand }, (canvas) => {
    for (const [index, line] of lines.entries()) drawText(canvas, wrapText(line, BODY, WIDE.width), BODY, WIDE, PAGE.top + index * 30)
  })

const withoutSpaces = (line: string): string => line.replaceAll(' ', '')

/** The first lines of a document without spaces, which pdftotext guesses from the gaps between letters. */
const readLines = async (pdf: Uint8Array, count: number): Promise<readonly string[]> => {
  const reader = spawn('pdftotext', ['-', '-'])
  reader.stdin.end(pdf)
  return withoutSpaces(await text(reader.stdout))
    .split('\n')
    .filter((line) => line !== '')
    .slice(0, count)
}

const lettersOf = (pattern: RegExp, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => String.fromCodePoint(from + index)).filter(
    (letter) => pattern.test(letter) && letter.normalize('NFKC') === letter,
  )

const LATIN = [...lettersOf(/\p{L}/u, 0x41, 0x180), ...'ȘșȚțẞƏəǍǎ’‘“”„–—ʼ€'] as const
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  latin: LATIN,
  greek: lettersOf(/\p{L}/u, 0x386, 0x3cf),
  cyrillic: [...lettersOf(/\p{L}/u, 0x400, 0x460), ...'ҐґҚқҢңӘә’ʼ'],
}

const word = (letters: readonly string[]) => fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 8 })
const line = fc
  .constantFrom(...Object.values(SCRIPTS))
  .chain((letters) => fc.array(word(letters), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')))

test.skipIf(missing)(`[INV-05] the text of each of 300 documents is what was drawn, whatever was drawn before${note}`, async () => {
  const documents = fc.sample(fc.array(line, { minLength: 1, maxLength: 4 }), 300)
  // Each document is read while the next one is drawn.
  let reading: Promise<void> | undefined
  for (const lines of documents) {
    const pdf = await draw(lines)
    await reading
    reading = readLines(pdf, lines.length).then((read) => expect(read).toEqual(lines.map(withoutSpaces)))
  }
  await reading
})
