import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { collectPageErrors } from '../support/page-errors.ts'
import { usePages } from '../support/pages.ts'
import { BRAND_SCREENS, type PortalScreen, SCREENS, waitForScreen, waitForAnimations } from './portal-screens.ts'

const { openPage, openPageAs } = usePages()

const SCHEMES = ['light', 'dark'] as const
/** A colour scheme changes colours only, so the other rules are checked once. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

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
    for (const screen of screens) {
      if (screen.only !== 'phone') findings.push(...(await findViolations(page, screen, DESKTOP)))
      if (screen.only !== 'desktop') findings.push(...(await findViolations(page, screen, PHONE)))
    }
    expect(findings).toEqual([])
    // The browser logs the status 400 of a refused sign-in, and the 401 after which an access token of five minutes is refreshed.
    const unexpected = errors.filter((line) => !line.includes('status of 400') && !line.includes('status of 401'))
    const expectedErrors = screens.filter(({ name }) => name === 'login-failed').length * 2
    expect(unexpected).toEqual([])
    expect(errors.filter((line) => line.includes('status of 400')).length).toBeLessThanOrEqual(expectedErrors)
  },
  600_000,
)

/** The violations on a screen at this width, in each colour scheme. */
const findViolations = async (page: Page, screen: PortalScreen, viewport: typeof DESKTOP | typeof PHONE): Promise<string[]> => {
  await page.setViewportSize(viewport)
  await page.goto('about:blank')
  await page.goto(screen.path)
  await waitForScreen(page)
  await screen.prepare?.(page)
  const findings: string[] = []
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await waitForAnimations(page)
    const axe = new AxeBuilder({ page })
    const { violations } = await (scheme === 'light' ? axe : axe.withRules(COLOUR_RULES)).analyze()
    const where = `${screen.name} ${viewport.width} ${scheme}`
    findings.push(...violations.map(({ id, nodes }) => `${where}: ${id} at ${nodes.map(({ html }) => html.slice(0, 120)).join(' and ')}`))
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > viewport.width) findings.push(`${where}: ${width} px wide`)
  }
  return findings
}
