import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/** Runs an action that downloads a file, and returns the file's name and content. */
export const captureDownload = async (page: Page, act: () => Promise<unknown>): Promise<{ name: string; content: Buffer }> => {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}

/** Whether this is a PDF file from its header to its end mark. */
export const isCompletePdf = (content: Buffer): boolean =>
  content.subarray(0, 5).toString('latin1') === '%PDF-' && /startxref\s+\d+\s+%%EOF\s*$/.test(content.subarray(-64).toString('latin1'))
