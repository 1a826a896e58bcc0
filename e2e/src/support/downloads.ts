import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/** Does something that saves a file, and gives its name and what is in it. */
export const savedBy = async (page: Page, act: () => Promise<unknown>): Promise<{ name: string; content: Buffer }> => {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}

/** Is this a whole PDF file, from its header to its end mark? */
export const isWholePdf = (content: Buffer): boolean =>
  content.subarray(0, 5).toString('latin1') === '%PDF-' && /startxref\s+\d+\s+%%EOF\s*$/.test(content.subarray(-64).toString('latin1'))
