import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, crc32 } from 'node:zlib'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, expect, test, vi } from 'vitest'
import { expectCleanPages, wordsOnPage } from '../../../../test/support/pdf-words.ts'
import type { InvoiceDocument } from '../../invoice-document.ts'
import { documentRenderer } from '../../renderer.ts'
import { sampleInvoice, sampleLine } from './sample-invoice.ts'

vi.setConfig({ testTimeout: 60_000 })

const renderer = documentRenderer()
const folder = mkdtempSync(join(tmpdir(), 'invoice-'))
afterAll(async () => {
  await renderer.close()
  rmSync(folder, { recursive: true })
})

/** A rendered invoice as a PDF reader sees it. */
const read = async (document: InvoiceDocument) => {
  const bytes = await renderer.invoice(document)
  const pdf = await getDocument({ data: bytes.slice(), verbosity: 0 }).promise
  const pages = await Promise.all(Array.from({ length: pdf.numPages }, (_, index) => pdf.getPage(index + 1)))
  const operators = await Promise.all(pages.map((page) => page.getOperatorList()))
  const contents = await Promise.all(pages.map((page) => page.getTextContent()))
  const words = contents.map(wordsOnPage)
  const texts = words.map((page) => page.map(({ text }) => text).join(' '))
  return { bytes, pdf, pages, operators, contents, words, texts, text: texts.join(' ') }
}

type Reading = Awaited<ReturnType<typeof read>>

const linkedAddresses = async ({ pages }: Reading): Promise<unknown[]> =>
  (await Promise.all(pages.map((page) => page.getAnnotations()))).flat().map(({ url }: { url?: string }) => url)

const fourHundred = (): InvoiceDocument =>
  sampleInvoice({
    lines: Array.from({ length: 400 }, (_, index) =>
      sampleLine({
        service: `Service ${Math.floor(index / 90) + 1}`,
        description: `Line ${index + 1}.${index % 7 === 0 ? ' Calls to mobiles of other networks, abroad and at night, priced by the minute' : ''}`,
        amount: `${index}.50`,
      }),
    ),
  })

let readFourHundred: Promise<Reading> | undefined
/** Read once, because reading so many pages takes longer than rendering them. */
const longReading = (): Promise<Reading> => (readFourHundred ??= read(fourHundred()))

const hostile = (): InvoiceDocument =>
  sampleInvoice({
    title: 'Invoice\u0000',
    number: 'A\u202eB<&>"\ud800',
    lines: [
      sampleLine({
        service: 'עברית',
        description: `bell\u0007 👩‍👩‍👧 中文 e\u0301 soft\u00adhyphen (text) \\ ${'x'.repeat(900)} ${'many words '.repeat(900)}`,
        serviceItem: 'y'.repeat(80),
        fromDay: 'no day',
        toDay: null,
        quantity: '1'.repeat(60),
        unit: 'unit'.repeat(12),
        unitPrice: `0.${'3'.repeat(60)}`,
        amount: `-${'9'.repeat(60)}.00`,
      }),
      sampleLine({ service: 'y'.repeat(500), description: '', amount: 'much' }),
    ],
    customer: { name: 'N'.repeat(300), addressLines: Array.from({ length: 60 }, (_, line) => `line ${line}`), reference: 'r'.repeat(200) },
    taxes: Array.from({ length: 60 }, () => ({ name: 'T'.repeat(60), ratePercent: '1', base: '1.00', amount: '0.01' })),
    terms: 'terms '.repeat(3_000),
    brand: { name: 'B'.repeat(300), colour: 'red', logo: { contentType: 'image/png', bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47]) } },
    language: 'no language',
  })

test('[INV-05] a tax whose source states the amount alone is printed without a rate and a base', async () => {
  const { text } = await read(sampleInvoice({ taxes: [{ name: 'Sales tax', ratePercent: null, base: null, amount: '28.35' }] }))
  expect(text).toMatch(/Sales tax \$28\.35/)
})

test('[INV-05] an invoice of one line is one page that says who owes what to whom, why, and until when', async () => {
  const { pdf, text } = await read(sampleInvoice())

  expect(pdf.numPages).toBe(1)
  for (const expected of [
    'INV-2026-00417',
    'Northwind Telecom Ltd',
    '220 Cathedral Square',
    '1 December 2026',
    'November 2026',
    'PO 77120',
  ])
    expect(text).toContain(expected)
  for (const expected of [
    'Internet access',
    'Business fibre 1 Gbit/s',
    'FIB-00120',
    '1 – 30 Nov 2026',
    '$189.00',
    'GST 15% on $189.00',
    '$28.35',
  ])
    expect(text).toContain(expected)
  for (const expected of ['Amount due (USD)', '$217.35', 'Due 15 December 2026', 'Payment is due within 14 days.', 'Page 1 of 1'])
    expect(text).toContain(expected)
})

test('[INV-05] the file has its title, language and creation date, and viewers show the title', async () => {
  const { pdf } = await read(sampleInvoice({ language: 'de-at', number: 'A&B' }))
  const { info, metadata } = await pdf.getMetadata()

  expect(info).toMatchObject({ Title: 'Invoice A&B', Language: 'de-AT', CreationDate: 'D:20261201000000Z' })
  expect(metadata?.get('dc:title')).toBe('Invoice A&B')
  expect((await pdf.getViewerPreferences())?.get('DisplayDocTitle')).toBe(true)
})

test('[INV-05] readers that speak find headings, the logo with its name, and the charges as a table', async () => {
  const { pages } = await read(sampleInvoice())
  const tree = JSON.stringify(await pages[0]?.getStructTree())

  const roles = [...tree.matchAll(/"role":"(\w+)"/g)].map(([, role]) => role)
  expect(roles.slice(0, 4)).toEqual(['Document', 'Figure', 'H1', 'P'])
  expect(tree).toContain('"alt":"Northwind"')
  expect(roles.filter((role) => role === 'H2')).toHaveLength(6)
  expect(roles.join(' ')).toContain('Table THead TR TH TH TH TH TH TH TBody TR TH TR TD TD TD TD TD TD Table TBody TR TH TD')
})

test('[INV-05] every font is in the file', async () => {
  const { pages, contents } = await read(sampleInvoice())

  const names = Object.keys(contents[0]?.styles ?? {})
  expect(names).toHaveLength(2)
  for (const name of names) expect(pages[0]?.commonObjs.get(name)).toMatchObject({ missingFile: false })
})

test('[INV-05] four hundred lines all stand there, in order, under a head on each page, on pages that count themselves', async () => {
  const reading = await longReading()
  const { pdf, texts, text } = reading

  expect(pdf.numPages).toBeGreaterThan(10)
  const lines = [...text.matchAll(/Line (\d+)\./g)].map(([, number]) => Number(number))
  expect(lines).toEqual(Array.from({ length: 400 }, (_, index) => index + 1))
  for (const [index, page] of texts.entries()) {
    if (page.includes('Line ')) expect(page).toContain('Description Service item Period Quantity Unit price Amount')
    expect(page).toContain(`Page ${index + 1} of ${pdf.numPages}`)
  }
  expect(texts[1]).toContain('Service 1 (continued)')
  expectCleanPages(reading.words)
})

/** The marked content tags around a text on a page. */
const marksOf = async ({ pages }: Reading, page: number, text: string): Promise<readonly string[]> => {
  const { items } = (await pages[page]?.getTextContent({ includeMarkedContent: true })) ?? { items: [] }
  const before = items.slice(
    0,
    items.findIndex((item) => 'str' in item && item.str === text),
  )
  const open: string[] = []
  for (const item of before) {
    if (!('type' in item)) continue
    if (item.type === 'endMarkedContent') open.pop()
    else open.push((item as unknown as { readonly tag: string }).tag)
  }
  return open
}

test('[INV-05] a screen reader reads a heading that is repeated on the next page only once', async () => {
  const reading = await longReading()

  expect(await marksOf(reading, 0, 'Description')).toEqual(['TH'])
  expect(await marksOf(reading, 1, 'Description')).toEqual(['Artifact'])
  expect(await marksOf(reading, 1, `Page 2 of ${reading.pdf.numPages}`)).toEqual(['Artifact'])
})

test('[INV-05] hostile text neither fails nor overlaps nor leaves the page, and what no font has is seen to be missing', async () => {
  const reading = await read(hostile())
  const { pdf, text } = reading

  expectCleanPages(reading.words)
  expect(text).toContain('Invoice□')
  expect(text).toContain('AB<&>"□')
  expect(text).toContain('עברית')
  expect(text).toContain('bell□ □ □□ é softhyphen (text) \\')
  expect(text.match(/many/g)).toHaveLength(900)
  expect(text.match(/terms/g)).toHaveLength(3_000)
  expect(text.replaceAll(' ', '')).toContain('x'.repeat(100))
  expect((await pdf.getMetadata()).info).toMatchObject({ Language: 'en' })
})

test('[INV-05] an invoice without charges says so', async () => {
  const { text } = await read(sampleInvoice({ lines: [], netTotal: '0.00' }))
  expect(text).toContain('No charges in this period')
})

test('[INV-05] amounts carry symbol and thousands, negative ones their sign before it', async () => {
  const lines = [sampleLine({ amount: '-1234567.89', unitPrice: '0.0125', quantity: '1,204.50', unit: 'min' })]
  const { text } = await read(sampleInvoice({ lines, currency: 'SEK', currencySymbol: 'kr' }))

  expect(text).toContain('-kr 1,234,567.89')
  expect(text).toContain('1,204.50 min kr 0.0125')
})

test('[INV-05] services of several lines get an exact subtotal, and none where an amount is no plain decimal', async () => {
  const lines = [
    sampleLine({ service: 'Mobile', amount: '9007199254740993.10' }),
    sampleLine({ service: 'Mobile', amount: '-0.20' }),
    sampleLine({ service: 'Data', amount: '1.00' }),
    sampleLine({ service: 'Data', amount: 'one' }),
    sampleLine({ service: 'Support' }),
  ]
  const { text } = await read(sampleInvoice({ lines }))

  expect(text).toContain('Subtotal Mobile $9,007,199,254,740,992.90')
  expect(text).not.toMatch(/Subtotal (Data|Support)/)
})

test('[INV-05] what lies between lines, subtotal, total and amount due stands there, so that the figures add up by reading', async () => {
  const { text } = await read(
    sampleInvoice({
      taxes: [],
      amountDue: '100.00',
      adjustments: {
        net: { name: 'Rounding', amount: '0.01' },
        tax: { name: 'Tax', amount: '28.35' },
        due: { name: 'Paid or credited so far', amount: '-117.35' },
      },
    }),
  )
  expect(text).toContain(
    'Rounding $0.01 Subtotal $189.00 Tax $28.35 Total $217.35 Paid or credited so far -$117.35 Amount due (USD) $100.00',
  )
})

test('[INV-05] an invoice whose charges are not listed says so, and a credit note what it corrects', async () => {
  const { text } = await read(sampleInvoice({ title: 'Credit note', lines: [], corrects: 'INV-2026-00398' }))
  expect(text).toContain('The charges are not listed one by one')
  expect(text).toContain('Corrects INV-2026-00398')
})

test('[INV-05] the totals share their page with a line of charges, however many lines there are', async () => {
  for (let count = 1; count <= 40; count++) {
    const lines = Array.from({ length: count }, (_, at) => sampleLine({ description: `Line ${at + 1}.` }))
    const { texts } = await read(sampleInvoice({ lines, terms: null, paymentUrl: null }))
    const page = texts.find((one) => one.includes('Amount due (USD) $217.35 Page') || / Total \$217\.35/.test(one))
    expect([count, page?.includes(`Line ${count}.`)]).toEqual([count, true])
  }
})

test.each([
  ['open', undefined],
  ['overdue', 'Overdue'],
  ['paid', 'Paid'],
  ['credited', 'Credited'],
  ['in-collection', 'Debit on its way'],
] as const)('[INV-05] an invoice that is %s bears the stamp that says so (%s)', async (status, stamp) => {
  const { text } = await read(sampleInvoice({ status }))

  const stamps = ['Overdue', 'Paid', 'Credited', 'Debit on its way'].filter((word) => text.includes(` ${word} `))
  expect(stamps).toEqual(stamp === undefined ? [] : [stamp])
})

test('[INV-05] the button and the printed address both lead to the payment page', async () => {
  const reading = await read(sampleInvoice())

  expect(await linkedAddresses(reading)).toEqual(Array.from({ length: 2 }, () => 'https://portal.northwind.example/pay/8e1f0c52'))
  expect(reading.text).toContain('Pay online')
})

test.each([
  ['nothing', null],
  ['a script', 'javascript:alert(1)'],
  ['no address', 'no address'],
  ['an address without end', `https://x.example/${'a'.repeat(3_000)}`],
])('[INV-05] where the payment page is %s, nothing invites to pay online', async (_, paymentUrl) => {
  const reading = await read(sampleInvoice({ paymentUrl }))

  expect(await linkedAddresses(reading)).toEqual([])
  expect(reading.text).not.toContain('Pay online')
})

test('[INV-05] the same invoice gives the same bytes', async () => {
  const tagOnce = await renderer.invoice(fourHundred())
  const again = await renderer.invoice(fourHundred())
  expect(Buffer.compare(tagOnce, again)).toBe(0)
})

const chunk = (type: string, data: Uint8Array): Uint8Array => {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A black PNG of 40 by 10 pixels with an alpha channel. */
const png = (pixels: Uint8Array = deflateSync(new Uint8Array((40 * 4 + 1) * 10))): Uint8Array => {
  const header = Buffer.from([0, 0, 0, 40, 0, 0, 0, 10, 8, 6, 0, 0, 0])
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

const PAINT_IMAGE = 85
const withLogo = (contentType: string, bytes: Uint8Array | string) => {
  const logo = { contentType, bytes: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes }
  return sampleInvoice({ brand: { name: 'Kestrel', colour: '#5b2bd9', logo } })
}

test('[INV-05] a PNG logo is drawn, and named for readers that speak', async () => {
  const { operators, pages } = await read(withLogo('image/png', png()))

  expect(operators[0]?.fnArray).toContain(PAINT_IMAGE)
  expect(JSON.stringify(await pages[0]?.getStructTree())).toContain('"alt":"Kestrel"')
})

test.each([
  ['an image that is none', 'image/png', 'nonsense'],
  ['a PNG with broken pixels', 'image/png', png(new Uint8Array(9))],
  ['an SVG that is none', 'image/svg+xml', 'nonsense'],
  ['an unsupported format', 'image/webp', 'RIFF0000WEBP'],
])('[INV-05] in place of %s the brand is named', async (_, contentType, bytes) => {
  const { text, pages } = await read(withLogo(contentType, bytes))

  expect(text).toMatch(/^Kestrel Invoice/)
  expect(JSON.stringify(await pages[0]?.getStructTree())).not.toContain('Figure')
})

const svgWithImage = (link: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><a href="https://evil.example"><rect width="9" height="9"/></a>
  <image href="${link}" width="40" height="10"/></svg>`

test('[INV-05] an SVG logo opens no file of the server and sets no link', async () => {
  const file = join(folder, 'secret.png')
  writeFileSync(file, png())

  const outside = await read({ ...withLogo('image/svg+xml', svgWithImage(file)), paymentUrl: null })
  const inside = await read(withLogo('image/svg+xml', svgWithImage(`data:image/png;base64,${Buffer.from(png()).toString('base64')}`)))

  expect(outside.operators[0]?.fnArray).not.toContain(PAINT_IMAGE)
  expect(await linkedAddresses(outside)).toEqual([])
  expect(inside.operators[0]?.fnArray).toContain(PAINT_IMAGE)
})

/** A PDF tool, when it is installed. */
const tool = (name: string) => {
  const missing = spawnSync(name, ['--version']).error !== undefined
  return {
    missing,
    note: missing ? ` (skipped: ${name} is not on the PATH)` : '',
    says: (...args: string[]) => execFileSync(name, args, { encoding: 'utf8' }),
  }
}

const saveToFile = async (document: InvoiceDocument): Promise<string> => {
  const file = join(folder, `${crypto.randomUUID()}.pdf`)
  writeFileSync(file, await renderer.invoice(document))
  return file
}

const qpdf = tool('qpdf')
test.skipIf(qpdf.missing).each([
  ['one line', sampleInvoice],
  ['four hundred lines', fourHundred],
  ['hostile text', hostile],
  ['a PNG logo', () => withLogo('image/png', png())],
])(`[INV-05] qpdf finds no fault in an invoice of %s${qpdf.note}`, async (_, document) => {
  const file = await saveToFile(document())
  expect(qpdf.says('--check', file)).toContain('No syntax or stream encoding errors')
})

const pdfinfo = tool('pdfinfo')
test.skipIf(pdfinfo.missing)(`[INV-05] pdfinfo finds a tagged file whose cells name their columns and rows${pdfinfo.note}`, async () => {
  const file = await saveToFile(sampleInvoice())

  expect(pdfinfo.says(file)).toMatch(/Tagged: +yes/)
  const tree = pdfinfo.says('-struct', file)
  expect(tree.match(/\/Scope \/Column/g)).toHaveLength(6)
  expect(tree).toMatch(/\/Scope \/Row\s+\/ColSpan 6/)
  expect(tree).toMatch(/Link \(inline\)\s+Object/)
})

const pdffonts = tool('pdffonts')
test.skipIf(pdffonts.missing)(`[INV-05] pdffonts finds each font embedded, in part, and readable as Unicode${pdffonts.note}`, async () => {
  const fonts = pdffonts
    .says(await saveToFile(hostile()))
    .trim()
    .split('\n')
    .slice(2)

  expect(fonts).toHaveLength(3)
  for (const font of fonts) expect(font).toMatch(/\+(Inter|NotoSansHebrew)-.* yes yes yes /)
})

const pdftotext = tool('pdftotext')
test.skipIf(pdftotext.missing)(`[INV-05] pdftotext reads a line of charges as one line${pdftotext.note}`, async () => {
  const text = pdftotext.says('-layout', await saveToFile(sampleInvoice()), '-')
  expect(text).toMatch(/Business fibre 1 Gbit\/s +FIB-00120 +1 ?– ?30 Nov 2026 +1 +\$189\.00 +\$189\.00/)
})
