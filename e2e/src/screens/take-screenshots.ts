/**
 * `npm run screens`: takes a screenshot of every screen at five widths, light and dark, into ./screens.
 * Starts a product unless PORTAL_URL names one. Arguments select screens by a part of their name; `--readme` takes the README's pictures.
 */
import { mkdir } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { DESKTOP, launchBrowser, newContext, PHONE, signInByForm } from '../support/browser.ts'
import { waitForAnimations } from '../support/accessibility.ts'
import { BRAND_SCREENS, type PortalScreen, SCREENS, waitForScreen } from './portal-screens.ts'
import { takeReadmePictures } from './readme-pictures.ts'
import { startProduct } from '../support/product.ts'

const FOLDER = 'screens'
const SCHEMES = ['light', 'dark'] as const
const VIEWPORTS: readonly Viewport[] = [
  PHONE,
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  DESKTOP,
  { width: 1920, height: 1080 },
]

interface Viewport {
  readonly width: number
  readonly height: number
}

const takeScreenshots = async (page: Page, screen: PortalScreen, viewport: Viewport): Promise<void> => {
  await page.setViewportSize(viewport)
  await page.goto('about:blank')
  await page.goto(screen.path)
  await waitForScreen(page)
  // Pictures of the brand come when the brand is known.
  await page.waitForLoadState('networkidle')
  await screen.prepare?.(page)
  await page.getByText('Loading…').first().waitFor({ state: 'detached' })
  await growViewport(page, viewport)
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await waitForAnimations(page)
    const path = `${FOLDER}/${screen.name}-${viewport.width}-${scheme}.png`
    await page.screenshot({ path, animations: 'disabled' })
    console.log(path)
  }
}

/** Makes the viewport as high as the page. A full-page screenshot would show the provider's frames half drawn. */
const growViewport = async (page: Page, { width, height }: Viewport): Promise<void> => {
  const pageHeight = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, pageHeight) })
}

const takeScreenshotsAs = async (
  browser: Browser,
  url: string,
  username: string | null,
  screens: readonly PortalScreen[],
): Promise<void> => {
  const context = await newContext(browser, url)
  const page = await context.newPage()
  if (username !== null) await signInByForm(page, username)
  for (const screen of screens) for (const viewport of viewportsOf(screen)) await takeScreenshots(page, screen, viewport)
  await context.close()
}

const viewportsOf = ({ only }: PortalScreen): readonly Viewport[] => {
  if (only === 'phone') return [PHONE]
  return only === 'desktop' ? VIEWPORTS.filter(({ width }) => width >= DESKTOP.width) : VIEWPORTS
}

const nameParts = process.argv.slice(2)
const selectedScreens = [...SCREENS, ...BRAND_SCREENS].filter(
  ({ name }) => nameParts.length === 0 || nameParts.some((word) => name.includes(word)),
)
const portalUrl = process.env['PORTAL_URL']
const product = portalUrl === undefined ? await startProduct() : undefined
const url = portalUrl ?? product?.url ?? ''
const browser = await launchBrowser()
if (nameParts.includes('--readme')) await takeReadmePictures(browser, url)
else {
  await mkdir(FOLDER, { recursive: true })
  for (const [username, screens] of Map.groupBy(selectedScreens, ({ username }) => username))
    await takeScreenshotsAs(browser, url, username, screens)
}
await browser.close()
await product?.remove()
