import { PDFArray, PDFDict, PDFDocument, PDFName } from '@cantoo/pdf-lib'

/** A PDF file, and what it is called in an error. */
export interface PdfFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The joined file, or the name of the first one that is no readable PDF. */
export type JoinResult = { readonly pdf: Uint8Array } | { readonly unreadable: string }

/** Joins PDF files into one, in their order. The tags for screen readers are not carried over. */
export const joinPdfs = async (title: string, files: readonly PdfFile[]): Promise<JoinResult> => {
  const joined = await PDFDocument.create()
  joined.setTitle(title, { showInWindowTitleBar: true })
  for (const { name, bytes } of files) {
    if (!(await appendPages(joined, bytes))) return { unreadable: name }
  }
  await joined.flush()
  nameSubsets(joined)
  return { pdf: await joined.save() }
}

/** Appends all pages of a file. @returns false where the file is no readable PDF, is encrypted, or has no pages */
const appendPages = async (joined: PDFDocument, bytes: Uint8Array): Promise<boolean> => {
  try {
    const source = await PDFDocument.load(bytes)
    const pages = await joined.copyPages(source, source.getPageIndices())
    for (const page of pages) joined.addPage(page)
    return pages.length > 0
  } catch {
    return false
  }
}

const SUBSET_NAME = /^[A-Z]{6}\+/
const BASE_FONT = PDFName.of('BaseFont')

/** Gives each part of a font a tag of its own, because parts with one name are taken for one font (ISO 32000-1, 9.6.4). */
const nameSubsets = (joined: PDFDocument): void => {
  let count = 0
  for (const [, font] of joined.context.enumerateIndirectObjects()) {
    if (!(font instanceof PDFDict) || font.get(PDFName.of('CIDSystemInfo')) !== undefined) continue // named with the font that it belongs to
    const descendants = font.lookup(PDFName.of('DescendantFonts'))
    const descendant = descendants instanceof PDFArray ? descendants.lookup(0) : font
    const descriptor = descendant instanceof PDFDict ? descendant.lookup(PDFName.of('FontDescriptor')) : undefined
    const name = font.lookup(BASE_FONT)
    if (!(descendant instanceof PDFDict && descriptor instanceof PDFDict && name instanceof PDFName)) continue
    if (!SUBSET_NAME.test(name.decodeText())) continue
    const ownName = PDFName.of(name.decodeText().replace(SUBSET_NAME, `${subsetTag(count++)}+`))
    font.set(BASE_FONT, ownName)
    descendant.set(BASE_FONT, ownName)
    descriptor.set(PDFName.of('FontName'), ownName)
  }
}

/** Six letters for a number: AAAAAA, AAAAAB, … */
const subsetTag = (number: number): string =>
  Array.from({ length: 6 }, (_, at) => String.fromCharCode(65 + (Math.floor(number / 26 ** (5 - at)) % 26))).join('')
