import type { Page } from 'playwright-core'
import { expect } from '../support/expect.ts'

export interface LedgerEntry {
  readonly id: string
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly status: string
  readonly method: string
}

/** All entries of the sandbox's ledger. */
export const readLedger = async (page: Page, sandboxUrl: string): Promise<LedgerEntry[]> =>
  (await page.request.get(`${sandboxUrl}/ledger`)).json()

/** Waits until the ledger has this many new entries that are not failed, and returns them. */
export const waitForLedgerEntries = async (
  page: Page,
  sandboxUrl: string,
  before: readonly LedgerEntry[],
  count = 1,
): Promise<LedgerEntry[]> => {
  const knownIds = new Set(before.map(({ id }) => id))
  const readNewEntries = async (): Promise<LedgerEntry[]> =>
    (await readLedger(page, sandboxUrl)).filter(({ id, status }) => !knownIds.has(id) && status !== 'failed')
  await expect.poll(async () => (await readNewEntries()).length).toBe(count)
  return readNewEntries()
}
