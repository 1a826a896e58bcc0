/** Runs in a worker thread of documents/renderer.ts. */
import { type JoinResult, joinPdfs, type PdfFile } from './pdf/join-pdfs.ts'

/** Joins PDF files in this worker thread. */
export const join = ({ title, files }: { title: string; files: readonly PdfFile[] }): Promise<JoinResult> => joinPdfs(title, files)
