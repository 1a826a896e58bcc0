import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations, IS_FULL } from '../support/accessibility.ts'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { collectPageErrors } from '../support/page-errors.ts'
import { usePages } from '../support/pages.ts'
import { BRAND_SCREENS, openScreen, type PortalScreen, SCREENS, waitForScreen } from './portal-screens.ts'

const { openPage, signInAs } = usePages()

/** Other brands change colours only, and the test of the theme has all of them. */
const USERS = new Set([null, 'demo', 'us', 'eu', 'bpoint', 'none'])

const screensByUser = [...Map.groupBy([...SCREENS, ...BRAND_SCREENS], ({ username }) => username)]
  .filter(([username]) => IS_FULL || USERS.has(username))
  .map(([username, screens]) => ({ username, who: username ?? 'a stranger', screens }))

test.each(screensByUser)(
  '[GRID-03][BRAND-01] axe-core finds nothing on any screen of $who, light and dark, wide and narrow; nothing scrolls sideways, nothing is logged',
  async ({ username, screens }) => {
    const page = username === null ? await openPage() : await signInAs(username)
    const errors = await collectPageErrors(page)
    const findings: string[] = []
    for (const [path, states] of Map.groupBy(screens, (screen) => screen.path))
      findings.push(...(await checkStates(page, username === null, path, states)))
    expect(findings).toEqual([])
    // The browser logs the status 400 of a refused sign-in and of a link that is not valid, and the 401 after which an access token of five minutes is refreshed.
    const unexpected = errors.filter((line) => !line.includes('status of 400') && !line.includes('status of 401'))
    const expectedErrors = screens.filter(({ name }) => name === 'login-failed' || name === 'registration').length
    expect(unexpected).toEqual([])
    expect(errors.filter((line) => line.includes('status of 400')).length).toBeLessThanOrEqual(expectedErrors)
  },
  600_000,
)

/** The violations in the states of a screen, which is opened once unless a state leaves it. */
const checkStates = async (page: Page, isStranger: boolean, path: string, states: readonly PortalScreen[]): Promise<string[]> => {
  const findings: string[] = []
  for (const state of states) {
    const isOpen = state !== states[0] && page.url().endsWith(path)
    if (isOpen) await page.keyboard.press('Escape')
    await page.setViewportSize(state.only === 'phone' ? PHONE : DESKTOP)
    if (!isOpen) await (isStranger ? openForStranger(page, path) : openScreen(page, path))
    await state.prepare?.(page)
    findings.push(...(await checkState(page, state)))
  }
  return findings
}

const openForStranger = async (page: Page, path: string): Promise<void> => {
  await page.goto(path)
  await waitForScreen(page)
}

/** The violations in a state at each width that it has: in light where it is wide, in dark where it is narrow, in both where it has one. */
const checkState = async (page: Page, { name, only }: PortalScreen): Promise<string[]> => {
  const findings: string[] = []
  for (const [size, viewport, scheme] of [
    ['desktop', DESKTOP, 'light'],
    ['phone', PHONE, 'dark'],
  ] as const) {
    if (only !== undefined && only !== size) continue
    await page.setViewportSize(viewport)
    findings.push(...(await findViolations(page, only === undefined ? { scheme } : {})))
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > viewport.width) findings.push(`${viewport.width}: ${width} px wide`)
  }
  return findings.map((finding) => `${name} ${finding}`)
}
