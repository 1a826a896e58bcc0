import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { troubleOn } from '../support/page-errors.ts'
import { people } from '../support/people.ts'
import { BRAND_SCREENS, type PortalScreen, SCREENS, settled, stillnessOf } from './portal-screens.ts'

const { person, signedIn } = people()

const SCHEMES = ['light', 'dark'] as const
/** A scheme is its colours and nothing else: what does not depend on them is looked for once. */
const ABOUT_COLOURS = ['color-contrast', 'link-in-text-block']

/** A brand brings colours; what width does to a screen is seen on the others. */
const inBrandColours = BRAND_SCREENS.map((screen): PortalScreen => ({ ...screen, only: 'desktop' }))

const ofUser = [...Map.groupBy([...SCREENS, ...inBrandColours], ({ username }) => username)].map(([username, screens]) => ({
  username,
  who: username ?? 'a stranger',
  screens,
}))

test.each(ofUser)(
  '[GRID-03][BRAND-01] axe-core finds nothing on any screen of $who, light and dark, wide and narrow; nothing scrolls sideways, nothing is logged',
  async ({ username, screens }) => {
    const page = username === null ? await person() : await signedIn(username)
    const trouble = await troubleOn(page)
    const findings: string[] = []
    for (const screen of screens) {
      if (screen.only !== 'phone') findings.push(...(await findingsAt(page, screen, DESKTOP)))
      if (screen.only !== 'desktop') findings.push(...(await findingsAt(page, screen, PHONE)))
    }
    expect(findings).toEqual([])
    // A refused sign-in is an answer of status 400, which the browser logs by itself.
    const refused = screens.filter(({ name }) => name === 'login-failed').length * 2
    expect(trouble.filter((line) => !line.includes('status of 400'))).toEqual([])
    expect(trouble.length).toBeLessThanOrEqual(refused)
  },
  600_000,
)

/** What is wrong with a screen at this size, in each scheme. */
const findingsAt = async (page: Page, screen: PortalScreen, viewport: typeof DESKTOP | typeof PHONE): Promise<string[]> => {
  await page.setViewportSize(viewport)
  await page.goto('about:blank')
  await page.goto(screen.path)
  await settled(page)
  await screen.prepare?.(page)
  const findings: string[] = []
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await stillnessOf(page)
    const axe = new AxeBuilder({ page })
    const { violations } = await (scheme === 'light' ? axe : axe.withRules(ABOUT_COLOURS)).analyze()
    const where = `${screen.name} ${viewport.width} ${scheme}`
    findings.push(...violations.map(({ id, nodes }) => `${where}: ${id} at ${nodes.map(({ html }) => html.slice(0, 120)).join(' and ')}`))
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > viewport.width) findings.push(`${where}: ${width} px wide`)
  }
  return findings
}
