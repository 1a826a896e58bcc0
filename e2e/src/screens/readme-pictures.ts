import { mkdir, writeFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { waitForAnimations } from '../support/accessibility.ts'
import { DESKTOP, newContext, PHONE, signInByForm } from '../support/browser.ts'
import { BRAND_SCREENS, SCREENS, waitForScreen } from './portal-screens.ts'

const FOLDER = 'docs/pictures'
const PICTURES = [
  { file: 'dashboard.webp', screen: 'dashboard', viewport: DESKTOP },
  { file: 'paying.webp', screen: 'pay-link-us', viewport: PHONE },
] as const
const QUALITY = 85

/** Writes the pictures with which README.md begins. */
export const takeReadmePictures = async (browser: Browser, url: string): Promise<void> => {
  await mkdir(FOLDER, { recursive: true })
  for (const { file, screen: name, viewport } of PICTURES) {
    const screen = [...SCREENS, ...BRAND_SCREENS].find((one) => one.name === name)
    if (screen?.username == null) throw new Error(`no user sees a screen "${name}"`)
    const context = await newContext(browser, url, { viewport })
    const page = await context.newPage()
    await signInByForm(page, screen.username)
    await page.goto(screen.path)
    await waitForScreen(page)
    await page.waitForLoadState('networkidle')
    await screen.prepare?.(page)
    await waitForAnimations(page)
    // Playwright itself writes PNG and JPEG alone.
    const session = await context.newCDPSession(page)
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
    await writeFile(`${FOLDER}/${file}`, Buffer.from(data, 'base64'))
    console.log(`${FOLDER}/${file}`)
    await context.close()
  }
}
