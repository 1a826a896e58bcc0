import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { collectPageErrors } from '../support/page-errors.ts'
import { usePages } from '../support/pages.ts'

const { openPageAs } = usePages()

/** What an iPhone SE shows of a page. */
const SHORT_PHONE = { viewport: { width: 375, height: 553 }, hasTouch: true, isMobile: true }

/** Scrolls the page until an element stands this far below the top of the window. */
const scrollTo = (element: Locator, top: number): Promise<void> =>
  element.evaluate((node, at) => scrollBy(0, node.getBoundingClientRect().top - at), top)

/** Opens something from a scrolled page; it comes into view, and the page stays where it is. */
const expectOpens = async (page: Page, opener: Locator, overlay: Locator, top: number): Promise<void> => {
  await scrollTo(opener, top)
  const before = await page.evaluate(() => scrollY)
  await opener.tap()
  await expect(overlay).toBeVisible()
  const { y = -1, height = 0 } = (await overlay.boundingBox()) ?? {}
  expect([y >= 0, y + Math.min(height, 200) <= SHORT_PHONE.viewport.height, await page.evaluate(() => scrollY)]).toEqual([
    true,
    true,
    before,
  ])
  await page.keyboard.press('Escape')
  await expect(overlay).not.toBeVisible()
}

test('[USG-04] on a short phone the lists of the filters open wherever the page is scrolled to, and the page stays', async () => {
  const page = await openPageAs('demo', '/usage', SHORT_PHONE)
  const errors = await collectPageErrors(page)
  await page.reload()
  await page.getByRole('button', { name: 'Filters' }).tap()
  for (const name of ['Filter by connection', 'Filter by type', 'Filter by cost centre']) {
    const field = page.getByRole('combobox', { name })
    for (const top of [420, 300, 180, 90]) await expectOpens(page, field, page.getByRole('listbox'), top)
  }
  expect(errors).toEqual([])
})

test('[GRID-01][PM-01] on a short phone menus and dialogs open from a scrolled page, and the page stays', async () => {
  const page = await openPageAs('demo', '/invoices', SHORT_PHONE)
  const errors = await collectPageErrors(page)
  await page.reload()
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
  for (const top of [400, 250, 100]) await expectOpens(page, button('Download'), page.getByRole('menu'), top)
  await page.goto('/payment-types')
  for (const top of [400, 200]) await expectOpens(page, button('Add card'), page.getByRole('dialog'), top)
  await page.goto('/reports')
  await expectOpens(page, page.getByRole('button', { name: /^Generate/ }).first(), page.getByRole('dialog'), 300)
  expect(errors).toEqual([])
})
