import { inflateRawSync } from 'node:zlib'

/** A cell: a text, a number, or nothing; `format` is its number format. */
export interface ReadCell {
  readonly value: string | number | null
  readonly format: string | null
}

const CENTRAL = 0x02_01_4b_50

/** The files of a ZIP archive, by its central directory (APPNOTE 4.3.12). */
const unzip = (archive: Buffer): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  const end = archive.lastIndexOf('PK\u{5}\u{6}', undefined, 'latin1')
  let at = archive.readUInt32LE(end + 16)
  while (archive.readUInt32LE(at) === CENTRAL) {
    const [nameBytes, extraBytes, noteBytes] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field)) as [number, number, number]
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes)
    const from = archive.readUInt32LE(at + 42)
    const start = from + 30 + archive.readUInt16LE(from + 26) + archive.readUInt16LE(from + 28)
    const packed = archive.subarray(start, start + archive.readUInt32LE(at + 20))
    files.set(name, (archive.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed).toString('utf8'))
    at += 46 + nameBytes + extraBytes + noteBytes
  }
  return files
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeEntities = (xml: string): string =>
  xml.replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) =>
    name.startsWith('#') ? String.fromCodePoint(Number(name.replace(/^#/, '0').replace(/^0(\d)/, '$1'))) : (ENTITIES[name] ?? whole),
  )

const attribute = (element: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(element)?.[1]

const sharedStrings = (xml: string | undefined): string[] =>
  [...(xml ?? '').matchAll(/<si>(.*?)<\/si>/gs)].map(([, inside]) =>
    [...(inside ?? '').matchAll(/<t[^>]*>(.*?)<\/t>/gs)].map(([, text]) => decodeEntities(text ?? '')).join(''),
  )

/** The number formats of a workbook by style index. */
const numberFormats = (xml = ''): (string | null)[] => {
  const own = new Map(
    [...xml.matchAll(/<numFmt [^>]*>/g)].map(([element]) => [
      attribute(element, 'numFmtId'),
      decodeEntities(attribute(element, 'formatCode') ?? ''),
    ]),
  )
  const styles = /<cellXfs[^>]*>(.*?)<\/cellXfs>/s.exec(xml)?.[1] ?? ''
  return [...styles.matchAll(/<xf [^>]*>/g)].map(([element]) => own.get(attribute(element, 'numFmtId')) ?? null)
}

const columnOf = (reference: string): number =>
  [...reference.replace(/\d/g, '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/** Reads the first sheet of an .xlsx file without the library that wrote it. */
export const readWorkbook = (file: Buffer): { sheet: string; rows: ReadCell[][]; widths: number[]; isHeadFrozen: boolean } => {
  const files = unzip(file)
  const shared = sharedStrings(files.get('xl/sharedStrings.xml'))
  const styles = numberFormats(files.get('xl/styles.xml'))
  const xml = files.get('xl/worksheets/sheet1.xml') ?? ''
  const rows = [...xml.matchAll(/<row [^>]*?(?:\/>|>(.*?)<\/row>)/gs)].map(([, inside]) => {
    const row: ReadCell[] = []
    for (const [, open = '', content = ''] of (inside ?? '').matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
      const kind = attribute(open, 't')
      const raw = /<v>(.*?)<\/v>/s.exec(content)?.[1]
      const inline = /<t[^>]*>(.*?)<\/t>/s.exec(content)?.[1]
      const text = kind === 's' ? (shared[Number(raw)] ?? null) : inline === undefined ? null : decodeEntities(inline)
      const isNumber = kind === undefined || kind === 'n'
      const value = isNumber ? (raw === undefined ? null : Number(raw)) : text
      row[columnOf(attribute(open, 'r') ?? 'A')] = { value, format: isNumber ? (styles[Number(attribute(open, 's') ?? 0)] ?? null) : null }
    }
    return row
  })
  return {
    sheet: decodeEntities(attribute(/<sheet [^>]*>/.exec(files.get('xl/workbook.xml') ?? '')?.[0] ?? '', 'name') ?? ''),
    rows,
    widths: [...xml.matchAll(/<col [^>]*>/g)].map(([element]) => Number(attribute(element, 'width'))),
    isHeadFrozen: /<pane [^>]*state="frozen"/.test(xml),
  }
}
