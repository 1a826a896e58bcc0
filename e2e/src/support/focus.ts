import type { Page } from 'playwright-core'

/**
 * The name of the focused element of the content when something lies over its middle, or when it is outside the window; else null.
 * Undefined when nothing is focused.
 */
export const readCovered = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (focused === document.body) return undefined
    if (focused === null || focused.closest('main, footer') === null || focused.matches('[role=region]')) return null
    const { left, right, top, bottom } = focused.getBoundingClientRect()
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    const isSeen = top >= 0 && bottom <= innerHeight && over !== null && (focused.contains(over) || over.contains(focused))
    return isSeen
      ? null
      : `${focused.getAttribute('aria-label') ?? focused.textContent} under ${over?.tagName} ${over?.textContent.slice(0, 40)}`
  })
