import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** Set to check every screen with all rules, at every size, in both schemes. */
export const IS_FULL = process.env['FULL'] !== undefined

/** A colour scheme changes colours only, so the other rules are checked once. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * What axe-core finds wrong on a page: all rules in light, those of colours in dark. Frames are left out: they are the payment provider's.
 * @param exclude a selector of what is left out too
 * @param scheme the only scheme to be checked
 */
export const findViolations = async (
  page: Page,
  { exclude, scheme }: { exclude?: string; scheme?: 'light' | 'dark' } = {},
): Promise<string[]> => {
  const schemes = scheme === undefined || IS_FULL ? (['light', 'dark'] as const) : [scheme]
  const findings: string[] = []
  for (const one of schemes) findings.push(...(await findViolationsIn(page, one, exclude)))
  return findings
}

const findViolationsIn = async (page: Page, colorScheme: 'light' | 'dark', exclude: string | undefined): Promise<string[]> => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await waitForAnimations(page)
  // It is half a megabyte, so a document gets it once.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(`void (() => { ${axe.source} })()`)
  // Axe-core describes only what it is asked for: describing what is right as well takes several times as long as the check.
  const rules = colorScheme === 'dark' && !IS_FULL ? { runOnly: COLOUR_RULES } : {}
  const options: RunOptions = { ...rules, iframes: false, resultTypes: ['violations'] }
  const { violations } = await page.evaluate<AxeResults, { exclude: string | undefined; options: RunOptions }>(
    (asked) => {
      const context = asked.exclude === undefined ? document : { exclude: [asked.exclude] }
      return (globalThis as unknown as { axe: typeof axe }).axe.run(context, asked.options)
    },
    { exclude, options },
  )
  const width = page.viewportSize()?.width
  return violations.map(({ id, nodes }) => `${width} ${colorScheme}: ${id} at ${nodes.map(({ html }) => html.slice(0, 120)).join(' and ')}`)
}

/** Waits until a change of scheme or size is painted and no animation runs. */
export const waitForAnimations = async (page: Page): Promise<void> => {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
}
