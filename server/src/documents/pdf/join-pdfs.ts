import { PDFDocument } from '@cantoo/pdf-lib'

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
  return { pdf: await joined.save() }
}

/** @returns false where the file is no readable PDF, is encrypted, or has no pages */
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
