import { open, realpath } from 'node:fs/promises'
import { isAbsolute, join, sep } from 'node:path'
import { OperatorError } from '../../kit/api-error.ts'
import { shown } from '../bad-row.ts'

const MOST_BYTES = 20 * 1024 * 1024
const HEAD = '%PDF-'

/** A folder of PDF files that invoices name. */
export interface InvoiceFiles {
  /** Why the file cannot be taken; null when it can. */
  problem(name: string): Promise<string | null>
  read(name: string): Promise<Buffer>
}

/** @throws OperatorError when the folder is none */
export const invoiceFiles = async (folder: string): Promise<InvoiceFiles> => {
  const root = await realpath(folder).catch(() => null)
  if (root === null) throw new OperatorError(`There is no folder ${folder}.`)
  return {
    problem: async (name) => {
      const path = await inside(root, name)
      if (path === null) return `file: there is no ${shown(name)} in the folder of --files`
      const file = await open(path, 'r').catch(() => null)
      if (file === null) return `file: ${shown(name)} may not be read by this user`
      try {
        const found = await file.stat()
        if (!found.isFile()) return `file: ${shown(name)} is not a file`
        if (found.size > MOST_BYTES) return `file: ${shown(name)} is larger than 20 MiB`
        const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD.length), 0, HEAD.length, 0)
        return bytesRead === HEAD.length && buffer.toString('latin1') === HEAD ? null : `file: ${shown(name)} is not a PDF`
      } finally {
        await file.close()
      }
    },
    read: async (name) => {
      const path = await inside(root, name)
      const file = path === null ? null : await open(path, 'r').catch(() => null)
      if (file === null) throw new OperatorError(`The file ${shown(name)} went away during the import. Nothing was imported.`)
      try {
        return await file.readFile()
      } finally {
        await file.close()
      }
    },
  }
}

/** The file's own path, when it lies in the folder: neither dots nor links lead out of it. */
const inside = async (root: string, name: string): Promise<string | null> => {
  if (isAbsolute(name)) return null
  const path = await realpath(join(root, name)).catch(() => null)
  return path?.startsWith(root + sep) === true ? path : null
}
