import type { Locator, Page } from 'playwright-core'
import { expect } from '../../support/expect.ts'

/** Opens the dialog that adds a method, by the keyboard. */
export const openDialog = async (page: Page, kind: 'card' | 'account'): Promise<Locator> => {
  const name = kind === 'card' ? 'Add card' : 'Add bank account'
  await page.getByRole('button', { name }).press('Enter')
  return page.getByRole('dialog', { name })
}

/** Expects the methods of a list, with Default after the default one; also while the page is loaded again. */
export const expectTitles = async (page: Page, list: string, titles: readonly string[]): Promise<void> => {
  const region = page.getByRole('region', { name: list })
  const readTitles = (): Promise<string[]> =>
    region.evaluate((element) =>
      [...element.querySelectorAll('h3')].map(({ parentElement: line }) => {
        const remove = line?.parentElement?.querySelector('[aria-label^="Remove "]')
        const title = remove?.getAttribute('aria-label')?.replace('Remove ', '') ?? ''
        return line?.textContent.endsWith('Default') === true ? `${title} Default` : title
      }),
    )
  await expect.poll(() => readTitles().catch(() => [])).toEqual(titles)
}

/** Opens the row of a method, unless it is open. */
export const openRow = async (page: Page, title: string): Promise<void> => {
  const row = page.getByRole('heading', { level: 3 }).filter({ hasText: title }).getByRole('button')
  if ((await row.getAttribute('aria-expanded')) === 'false') await row.click()
}

/** Removes a method of an open row. */
export const removeMethod = async (page: Page, title: string): Promise<void> => {
  await page.getByRole('button', { name: `Remove ${title}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).dblclick()
}
