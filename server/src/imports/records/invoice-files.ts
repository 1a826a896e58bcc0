import { open, realpath } from 'node:fs/promises'
import { isAbsolute, join, sep } from 'node:path'
import { OperatorError } from '../../kit/api-error.ts'
import { quoteValue } from '../bad-row.ts'

const MAX_FILE_BYTES = 20 * 1024 * 1024
const PDF_HEADER = '%PDF-'

/** A folder of PDF files that invoices name. */
export interface InvoiceFiles {
  /** The reason why the file cannot be imported; null when it can. */
  problem(name: string): Promise<string | null>
  read(name: string): Promise<Buffer>
}

/**
 * Makes the reader of the PDF files in a folder, by their names in invoices; nothing outside the folder is read.
 * @throws OperatorError when the folder does not exist
 */
export const invoiceFiles = async (folder: string): Promise<InvoiceFiles> => {
  const root = await realpath(folder).catch(() => null)
  if (root === null) throw new OperatorError(`There is no folder ${folder}.`)
  return {
    problem: async (name) => {
      const path = await resolveInside(root, name)
      if (path === null) return `file: there is no ${quoteValue(name)} in the folder of --files`
      const file = await open(path, 'r').catch(() => null)
      if (file === null) return `file: ${quoteValue(name)} may not be read by this user`
      try {
        const stats = await file.stat()
        if (!stats.isFile()) return `file: ${quoteValue(name)} is not a file`
        if (stats.size > MAX_FILE_BYTES) return `file: ${quoteValue(name)} is larger than 20 MiB`
        const { buffer, bytesRead } = await file.read(Buffer.alloc(PDF_HEADER.length), 0, PDF_HEADER.length, 0)
        return bytesRead === PDF_HEADER.length && buffer.toString('latin1') === PDF_HEADER ? null : `file: ${quoteValue(name)} is not a PDF`
      } finally {
        await file.close()
      }
    },
    read: async (name) => {
      const path = await resolveInside(root, name)
      const file = path === null ? null : await open(path, 'r').catch(() => null)
      if (file === null) throw new OperatorError(`The file ${quoteValue(name)} went away during the import. Nothing was imported.`)
      try {
        return await file.readFile()
      } finally {
        await file.close()
      }
    },
  }
}

/** The real path of a file in the folder; null when the file does not exist or lies outside, also by a symbolic link. */
const resolveInside = async (root: string, name: string): Promise<string | null> => {
  if (isAbsolute(name)) return null
  const path = await realpath(join(root, name)).catch(() => null)
  return path?.startsWith(root + sep) === true ? path : null
}
