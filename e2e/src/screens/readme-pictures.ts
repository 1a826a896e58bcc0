import { mkdir } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { waitForAnimations } from '../support/accessibility.ts'
import { DESKTOP, newContext, PHONE, signInByForm } from '../support/browser.ts'
import { BRAND_SCREENS, SCREENS, waitForScreen } from './portal-screens.ts'

const FOLDER = 'docs/pictures'
const PICTURES = [
  { file: 'dashboard.png', screen: 'dashboard', viewport: DESKTOP },
  { file: 'paying.png', screen: 'pay-link-us', viewport: PHONE },
] as const

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
    await page.screenshot({ path: `${FOLDER}/${file}`, animations: 'disabled' })
    console.log(`${FOLDER}/${file}`)
    await context.close()
  }
}
