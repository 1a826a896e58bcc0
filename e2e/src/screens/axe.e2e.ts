import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { collectPageErrors } from '../support/page-errors.ts'
import { usePages } from '../support/pages.ts'
import { BRAND_SCREENS, type PortalScreen, SCREENS, waitForScreen } from './portal-screens.ts'

const { openPage, openPageAs } = usePages()

/** A brand changes colours only, so one width is enough. */
const brandScreens = BRAND_SCREENS.map((screen): PortalScreen => ({ ...screen, only: 'desktop' }))

const screensByUser = [...Map.groupBy([...SCREENS, ...brandScreens], ({ username }) => username)].map(([username, screens]) => ({
  username,
  who: username ?? 'a stranger',
  screens,
}))

test.each(screensByUser)(
  '[GRID-03][BRAND-01] axe-core finds nothing on any screen of $who, light and dark, wide and narrow; nothing scrolls sideways, nothing is logged',
  async ({ username, screens }) => {
    const page = username === null ? await openPage() : await openPageAs(username)
    const errors = await collectPageErrors(page)
    const findings: string[] = []
    for (const screen of screens) findings.push(...(await checkScreen(page, screen)))
    expect(findings).toEqual([])
    // The browser logs the status 400 of a refused sign-in and of a link that is not valid, and the 401 after which an access token of five minutes is refreshed.
    const unexpected = errors.filter((line) => !line.includes('status of 400') && !line.includes('status of 401'))
    const expectedErrors = screens.filter(({ name }) => name === 'login-failed' || name === 'registration').length
    expect(unexpected).toEqual([])
    expect(errors.filter((line) => line.includes('status of 400')).length).toBeLessThanOrEqual(expectedErrors)
  },
  600_000,
)

/** The violations on a screen, at each width that it has. The page is loaded once, because its width changes nothing but styles. */
const checkScreen = async (page: Page, { name, path, only, prepare }: PortalScreen): Promise<string[]> => {
  const viewports = [...(only === 'phone' ? [] : [DESKTOP]), ...(only === 'desktop' ? [] : [PHONE])]
  await page.setViewportSize(viewports[0] ?? DESKTOP)
  await page.goto('about:blank')
  await page.goto(path)
  await waitForScreen(page)
  await prepare?.(page)
  const findings: string[] = []
  for (const viewport of viewports) {
    await page.setViewportSize(viewport)
    findings.push(...(await findViolations(page)))
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > viewport.width) findings.push(`${viewport.width}: ${width} px wide`)
  }
  return findings.map((finding) => `${name} ${finding}`)
}
