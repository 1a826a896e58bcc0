import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { expect } from '../support/expect.ts'
import { readCovered } from '../support/focus.ts'
import { usePages } from '../support/pages.ts'
import { openScreen, SCREENS, waitForScreen } from './portal-screens.ts'

const { openPageAs } = usePages()

/** Low windows, in which header, sums and bars take the most of the height. */
const WINDOWS = [
  { width: 1024, height: 600 },
  { width: 390, height: 600 },
]
/** More than any screen has. */
const MAX_STOPS = 160

/** Every address of the signed-in portal, once. */
const screens = SCREENS.filter(({ username }) => username !== null).filter(
  ({ path }, at, all) => all.findIndex((screen) => screen.path === path) === at,
)

test('[EASE-13] on every screen Tab and Shift+Tab lead through everything, and nothing focused lies under a header or a bar', async () => {
  const page = await openPageAs('demo')
  for (const { name, path } of screens) {
    await openScreen(page, path)
    // The heading has the focus after navigation.
    await walk(page, 'Shift+Tab')
    for (const window of WINDOWS) {
      await page.setViewportSize(window)
      await waitForScreen(page)
      const there = await walk(page, 'Tab')
      const back = await walk(page, 'Shift+Tab')
      expect({ name, window, covered: [...there.covered, ...back.covered] }).toEqual({ name, window, covered: [] })
      expect(there.stops, name).toBeGreaterThan(4)
      expect(back.stops, name).toBe(there.stops)
    }
  }
}, 600_000)

/** Presses this key until the focus has left the page. */
const walk = async (page: Page, key: 'Tab' | 'Shift+Tab'): Promise<{ stops: number; covered: string[] }> => {
  const covered: string[] = []
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    await page.keyboard.press(key)
    const name = await readCovered(page)
    if (name === undefined) return { stops, covered }
    if (name !== null) covered.push(`${key}: ${name}`)
  }
  throw new Error(`${key} had not gone through the page after ${MAX_STOPS} stops`)
}

test('[EASE-13] a dialog that is longer than the window keeps its actions in sight, and what has the focus above them', async () => {
  const page = await openPageAs('demo', '/payment-types')
  await page.setViewportSize({ width: 390, height: 600 })
  await page.getByRole('button', { name: 'Add card', exact: true }).click()
  const edges = async (one: Locator): Promise<{ top: number; bottom: number }> => {
    const box = await one.boundingBox()
    return { top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? 0) }
  }
  const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' })
  await expect(cancel).toBeVisible()
  expect((await edges(cancel)).bottom).toBeLessThan(600 - 8)
  await page.getByText('Full address (optional)').click()
  for (const name of ['City', 'Postcode or ZIP']) {
    const field = page.getByLabel(name, { exact: true })
    await field.focus()
    await expect.poll(async () => (await edges(field)).bottom <= (await edges(cancel)).top).toBe(true)
  }
})
