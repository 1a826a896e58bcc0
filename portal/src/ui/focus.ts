/**
 * Moves the focus to the surrounding dialog or page content. Call it before a focused button removes itself:
 * otherwise keyboard and screen-reader users start at the top of the page again.
 */
export const focusContent = (): void => {
  const container = document.activeElement?.closest<HTMLElement>('[role="dialog"], main') ?? document.querySelector('main')
  container?.focus({ preventScroll: true })
}

/** Moves the focus to the page's content when no element has it. */
export const restoreFocus = (): void => {
  if (document.activeElement === null || document.activeElement === document.body) focusContent()
}
