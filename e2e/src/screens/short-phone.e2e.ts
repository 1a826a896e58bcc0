import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { expect } from '../support/expect.ts'
import { collectPageErrors } from '../support/page-errors.ts'
import { usePages } from '../support/pages.ts'
import { openScreen } from './portal-screens.ts'

const { openPageAs, signInAs } = usePages()

/** What an iPhone SE shows of a page. */
const SHORT_PHONE = { viewport: { width: 375, height: 553 }, hasTouch: true, isMobile: true }

/** Scrolls the page until an element stands this far below the top of the window. */
const scrollTo = (element: Locator, top: number): Promise<void> =>
  element.evaluate((node, at) => scrollBy(0, node.getBoundingClientRect().top - at), top)

/** Taps where an element stands; a locator's own tap may scroll the page to bring it to the middle. */
const tapInPlace = async (page: Page, element: Locator): Promise<void> => {
  await expect(element).toBeVisible()
  const { x = -1, y = -1, width = 0, height = 0 } = (await element.boundingBox()) ?? {}
  await page.touchscreen.tap(x + width / 2, y + height / 2)
}

/** Opens something from a page that is scrolled until its button stands this far below the top of the window. */
const expectOpens = async (page: Page, opener: Locator, overlay: Locator, top: number): Promise<void> => {
  await scrollTo(opener, top)
  await expectOpensHere(page, opener, overlay)
}

/** Opens something from a scrolled page; it comes into view, and the page stays where it is. */
const expectOpensHere = async (page: Page, opener: Locator, overlay: Locator): Promise<void> => {
  const before = await page.evaluate(() => scrollY)
  await tapInPlace(page, opener)
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

test('[USG-04][GRID-01][PM-01] on a short phone the lists of filters, menus and dialogs open wherever the page is scrolled to, and the page stays', async () => {
  const page = await signInAs('demo', SHORT_PHONE)
  const errors = await collectPageErrors(page)
  await page.goto('/usage')
  await page.getByRole('button', { name: 'Filters' }).tap()
  for (const name of ['Filter by connection', 'Filter by type', 'Filter by cost centre']) {
    const field = page.getByRole('combobox', { name })
    for (const top of [420, 300, 180, 90]) await expectOpens(page, field, page.getByRole('listbox'), top)
  }
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true })
  await openScreen(page, '/invoices')
  for (const top of [400, 250, 100]) await expectOpens(page, button('Download'), page.getByRole('menu'), top)
  await openScreen(page, '/reports')
  await expectOpens(page, page.getByRole('button', { name: /^Generate/ }).first(), page.getByRole('dialog'), 300)
  await openScreen(page, '/payment-types')
  for (const top of [400, 200]) await expectOpens(page, button('Add card'), page.getByRole('dialog'), top)
  expect(errors).toEqual([])
})

test('[NAV-04][NAV-05] the menus of the header open from a scrolled page of a short window, also on a phone, where the menu scrolls to its end; the page stays', async () => {
  const page = await openPageAs('demo', '/invoices', SHORT_PHONE)
  // In a window this wide they stand in a row.
  await page.setViewportSize({ width: 800, height: SHORT_PHONE.viewport.height })
  await scrollDown(page)
  const banner = page.getByRole('banner')
  await expectOpensHere(page, banner.getByRole('button', { name: 'Settings' }), page.getByRole('menu'))
  await expectOpensHere(page, banner.getByRole('button', { name: 'More' }), page.getByRole('menu'))
  await expectOpensHere(page, banner.getByRole('button', { name: /Customer$/ }), page.getByRole('listbox'))

  await page.setViewportSize(SHORT_PHONE.viewport)
  await scrollDown(page)
  await tapInPlace(page, page.getByRole('button', { name: 'Menu' }))
  await expectOpensHere(page, banner.getByRole('button', { name: /Customer$/ }), page.getByRole('listbox'))
  const last = banner.getByRole('navigation', { name: 'Settings' }).getByRole('link').last()
  await expectScrollsToEnd(page, last)
  expect(await page.evaluate(() => scrollY)).toBe(300)
  await tapInPlace(page, last)
  await expect(last).not.toBeVisible()
})

/** Scrolls the list of invoices down. */
const scrollDown = async (page: Page): Promise<void> => {
  await expect(page.getByRole('rowheader').last()).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 300))
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300)
}

/** The menu, whose last entry this is, scrolls to its end, and there it does not scroll the page behind it. */
const expectScrollsToEnd = async (page: Page, last: Locator): Promise<void> => {
  const readBottom = async (): Promise<number> => {
    const { y = 0, height = 0 } = (await last.boundingBox()) ?? {}
    return y + height
  }
  expect(await readBottom()).toBeGreaterThan(SHORT_PHONE.viewport.height)
  await page.mouse.move(180, 300)
  await page.mouse.wheel(0, 1_000)
  await expect.poll(readBottom).toBeLessThanOrEqual(SHORT_PHONE.viewport.height)
  await page.mouse.wheel(0, 1_000)
  const frames = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  for (let at = 0; at < 10; at += 1) await frames()
}
