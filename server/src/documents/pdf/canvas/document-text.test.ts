import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterEach, expect, test } from 'vitest'
import { isFull } from '../../../../test/databases/full-run.ts'
import { renderPdf } from '../render-pdf.ts'
import { documentRenderer } from '../../renderer.ts'
import { sampleInvoice } from '../invoice/sample-invoice.ts'
import { BODY, drawText, PAGE, wrapText } from './canvas.ts'
import { fontOfCharacters, useFontsFolder } from './fonts.ts'
import { openFonts, RIGHT_TO_LEFT } from './open-font.ts'
import { unprintableLetters } from './printable-text.ts'

const READER = 'pdftotext'
const missing = spawnSync(READER, ['-v']).error !== undefined
const note = missing ? ' (skipped: pdftotext is not on the PATH)' : ''

const brand = { name: 'Northwind', colour: '#0f8f86', logo: null }
const WIDE = { left: PAGE.left, width: PAGE.right - PAGE.left }

const draw = (lines: readonly string[]): Promise<Uint8Array> =>
  renderPdf({ title: 'Invoice', author: 'Northwind', day: '2026-12-01', language: 'en', brand }, (canvas) => {
    for (const [index, line] of lines.entries()) drawText(canvas, wrapText(line, BODY, WIDE.width), BODY, WIDE, PAGE.top + index * 30)
  })

/** Without what pdftotext adds: spaces, which it guesses from the gaps between letters, and marks of direction. */
const lettersAlone = (line: string): string => line.replace(/[ \u202a-\u202c]/g, '')

/** The first lines of a document. */
const readLines = async (pdf: Uint8Array, count: number): Promise<readonly string[]> => {
  const reader = spawn(READER, ['-', '-'])
  reader.stdin.end(pdf)
  return lettersAlone(await text(reader.stdout))
    .split('\n')
    .filter((line) => line !== '')
    .slice(0, count)
}

const lettersOf = (pattern: RegExp, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => String.fromCodePoint(from + index)).filter(
    (letter) => pattern.test(letter) && letter.normalize('NFKC') === letter,
  )

const LATIN = [...lettersOf(/\p{L}/u, 0x41, 0x180), ...'ȘșȚțẞƏəǍǎ’‘“”„–—ʼ€'] as const
const lettersWithMarks = (bases: readonly string[], marks: readonly string[]) =>
  bases.flatMap((base) => ['', ...marks].map((mark) => base + mark))
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  latin: LATIN,
  greek: lettersOf(/\p{L}/u, 0x386, 0x3cf),
  cyrillic: [...lettersOf(/\p{L}/u, 0x400, 0x460), ...'ҐґҚқҢңӘә’ʼ'],
  armenian: lettersOf(/\p{L}/u, 0x531, 0x587),
  georgian: lettersOf(/\p{L}/u, 0x10d0, 0x10fb),
  hebrew: lettersOf(/\p{L}/u, 0x5d0, 0x5eb),
  arabic: [...lettersOf(/\p{L}/u, 0x621, 0x64b), ...'پچژگیک'].filter((letter) => letter !== '\u0640'),
  thai: lettersWithMarks(lettersOf(/\p{L}/u, 0xe01, 0xe2f), ['\u0e31', '\u0e35\u0e48', '\u0e38', '\u0e49\u0e33']),
  devanagari: lettersWithMarks(lettersOf(/\p{L}/u, 0x915, 0x929), ['\u093f', '\u0940', '\u094d\u0930', '\u094d\u0924\u093f', '\u0902']),
}

const word = (letters: readonly string[]) => fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 8 })
const line = fc
  .constantFrom(...Object.values(SCRIPTS))
  .chain((letters) => fc.array(word(letters), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')))

const DOCUMENTS = isFull ? 300 : 60

test.skipIf(missing)(
  `[INV-05] the text of each of ${DOCUMENTS} documents is what was drawn, whatever was drawn before${note}`,
  async () => {
    const documents = fc.sample(fc.array(line, { minLength: 1, maxLength: 4 }), { numRuns: DOCUMENTS, seed: 2_611 })
    // Each document is read while the next one is drawn.
    let reading: Promise<void> | undefined
    for (const lines of documents) {
      const pdf = await draw(lines)
      await reading
      reading = readLines(pdf, lines.length).then((read) => expect(read).toEqual(lines.map(lettersAlone)))
    }
    await reading
  },
)

/** The words of a document's first page with their left edges. */
const placedWords = async (pdf: Uint8Array) => {
  const page = await (await getDocument({ data: pdf.slice(), verbosity: 0 }).promise).getPage(1)
  const { items } = await page.getTextContent()
  return items.flatMap((item) =>
    'str' in item && item.str.trim() !== ''
      ? [{ text: item.str.trim(), left: Number(item.transform[4]), base: Number(item.transform[5]) }]
      : [],
  )
}

test.each([
  ['חשבונית INV-417 מיום 12.11.2026 (טיוטה)', ['(', 'טיוטה', ')', '12.11.2026', 'מיום', 'INV-417', 'חשבונית']],
  ['Harbour שלום עולם 12 Ltd', ['Harbour', '12', 'שלום עולם', 'Ltd']],
])('[INV-05] the parts of the line %s stand where its readers look for them', async (mixed, fromLeft) => {
  const words = (await placedWords(await draw([mixed]))).filter(({ base }) => base > 700).toSorted((a, b) => a.left - b.left)
  expect(
    words
      .map(({ text: word }) => word)
      .join(' ')
      .replaceAll(/ +/g, ' '),
  ).toBe(fromLeft.join(' '))
})

test('[INV-05] two fonts of one name are two fonts: the parts of a font that is divided by scripts share its name', () => {
  const file = readFileSync(fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')))
  const names = [openFonts(file), openFonts(file)].flatMap((fonts) => fonts.map(({ name }) => name))
  expect(new Set(names).size).toBe(2)
})

test('[INV-05] each line of a wrapped Hebrew paragraph is read from right to left', () => {
  const lines = wrapText(`${'שלום '.repeat(12)}${'Harbour '.repeat(12)}`, BODY, 200)
  const latin = lines.filter((text) => text.includes('Harbour') && !text.includes('ש'))
  expect(latin.length).toBeGreaterThan(0)
  for (const text of latin) expect(text.startsWith(RIGHT_TO_LEFT)).toBe(true)
})

test('[INV-05] an Arabic letter has another shape at the beginning, in the middle and at the end of a word', () => {
  const font = fontOfCharacters('ب', 'regular')
  const shapes = font?.source.layout(`${RIGHT_TO_LEFT}ببب`).glyphs.filter(({ advanceWidth }) => advanceWidth > 0)
  expect(new Set(shapes?.map(({ id }) => id)).size).toBe(3)
})

afterEach(() => useFontsFolder(null))

test('[INV-05] letters that no built-in font has are named, and printed with a font of the folder FONTS_DIR', async () => {
  const name = '東京電力株式会社 Ltd'
  const fontsDir = fileURLToPath(new URL('../../../../test/support/fonts', import.meta.url))
  expect(unprintableLetters(`${name} 東京`)).toEqual([...'東京電力株式会社'])
  const document = sampleInvoice({ customer: { name, addressLines: [], reference: null } })
  for (const [folder, shown] of [
    [null, '□□□□□□□□ Ltd'],
    [fontsDir, name],
  ] as const) {
    const renderer = documentRenderer({ fontsDir: folder })
    const words = await placedWords(await renderer.invoice(document))
    await renderer.close()
    expect(words.map(({ text: word }) => word).join(' ')).toContain(shown)
  }
  useFontsFolder(fontsDir)
  expect(unprintableLetters(name)).toEqual([])
  expect(() => useFontsFolder('/no/such/folder')).toThrow('FONTS_DIR')
})

test('[INV-05] a file of FONTS_DIR that was cut or has no outlines costs no document: the letters of the next file are there', () => {
  const sample = readFileSync(new URL('../../../../test/support/fonts/noto-sans-jp-sample.ttf', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-fonts-'))
  try {
    for (const share of [0.1, 0.5, 0.95]) writeFileSync(join(folder, `${share}.ttf`), sample.subarray(0, sample.length * share))
    const pictures = Buffer.from(sample)
    pictures.write('CBDT', pictures.indexOf('glyf'), 'latin1')
    writeFileSync(join(folder, 'emoji.ttf'), pictures)
    useFontsFolder(folder)
    expect(unprintableLetters('東京')).toEqual(['東', '京'])
    writeFileSync(join(folder, 'whole.ttf'), sample)
    useFontsFolder(folder)
    expect(unprintableLetters('東京')).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
