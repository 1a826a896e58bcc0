/**
 * `npm run screens`: photographs every screen at 1440 and 390 px, light and dark, into ./screens.
 * Starts a product of its own unless PORTAL_URL names one; words after the command choose screens by a part of their name.
 */
import { mkdir } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { DESKTOP, launchBrowser, newPerson, PHONE, signIn } from '../support/browser.ts'
import { BRAND_SCREENS, type PortalScreen, SCREENS, settled, stillnessOf } from './portal-screens.ts'
import { startProduct } from '../support/product.ts'

const FOLDER = 'screens'
const SCHEMES = ['light', 'dark'] as const

const photograph = async (page: Page, screen: PortalScreen, viewport: typeof DESKTOP | typeof PHONE): Promise<void> => {
  await page.setViewportSize(viewport)
  await page.goto('about:blank')
  await page.goto(screen.path)
  await settled(page)
  await screen.prepare?.(page)
  await stretchedTo(page, viewport)
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await stillnessOf(page)
    const path = `${FOLDER}/${screen.name}-${viewport.width}-${scheme}.png`
    await page.screenshot({ path, animations: 'disabled' })
    console.log(path)
  }
}

/** As high as the whole screen is: a picture beyond the window's edge would catch the payment company's frames half drawn. */
const stretchedTo = async (page: Page, { width, height }: typeof DESKTOP | typeof PHONE): Promise<void> => {
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, whole) })
}

const photographAs = async (browser: Browser, url: string, username: string | null, screens: readonly PortalScreen[]): Promise<void> => {
  const context = await newPerson(browser, url)
  const page = await context.newPage()
  if (username !== null) await signIn(page, username)
  for (const screen of screens) {
    if (screen.only !== 'phone') await photograph(page, screen, DESKTOP)
    if (screen.only !== 'desktop') await photograph(page, screen, PHONE)
  }
  await context.close()
}

const words = process.argv.slice(2)
const chosen = [...SCREENS, ...BRAND_SCREENS].filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
const given = process.env['PORTAL_URL']
const product = given === undefined ? await startProduct() : undefined
const browser = await launchBrowser()
await mkdir(FOLDER, { recursive: true })
for (const [username, screens] of Map.groupBy(chosen, ({ username }) => username))
  await photographAs(browser, given ?? product?.url ?? '', username, screens)
await browser.close()
await product?.remove()
