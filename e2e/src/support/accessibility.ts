import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** A colour scheme changes colours only, so the other rules are checked once. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * What axe-core finds wrong on a page: all rules in light, those of colours in dark. Frames are left out: they are the payment provider's.
 * @param exclude a selector of what is left out too
 */
export const findViolations = async (page: Page, { exclude }: { exclude?: string } = {}): Promise<string[]> => [
  ...(await findViolationsIn(page, 'light', { exclude })),
  ...(await findViolationsIn(page, 'dark', { exclude, runOnly: COLOUR_RULES })),
]

interface Options {
  readonly exclude: string | undefined
  readonly runOnly?: string[]
}

const findViolationsIn = async (page: Page, colorScheme: 'light' | 'dark', { exclude, ...rules }: Options): Promise<string[]> => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await waitForAnimations(page)
  await page.evaluate(`void (globalThis.axe ?? (() => { ${axe.source} })())`)
  // Axe-core describes only what it is asked for: describing what is right as well takes several times as long as the check.
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
