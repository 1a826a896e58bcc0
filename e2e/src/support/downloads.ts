import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/** Runs an action that downloads a file, and returns the file's name and content. */
export const captureDownload = async (page: Page, act: () => Promise<unknown>): Promise<{ name: string; content: Buffer }> => {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}

/** A file's size as the screens write it, for files of less than a megabyte: "12.3 KB". */
export const sizeText = ({ length }: Buffer): string =>
  length < 1_024 ? `${length} B` : `${new Intl.NumberFormat('en-AU', { maximumFractionDigits: 1 }).format(length / 1_024)} KB`

/** Whether this is a PDF file from its header to its end mark. */
export const isCompletePdf = (content: Buffer): boolean =>
  content.subarray(0, 5).toString('latin1') === '%PDF-' && /startxref\s+\d+\s+%%EOF\s*$/.test(content.subarray(-64).toString('latin1'))
