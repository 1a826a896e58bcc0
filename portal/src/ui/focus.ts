/**
 * Puts the focus on the content around it: of the dialog, or of the page. For what takes itself away when it is pressed: the focus would go with it, and whoever reads by
 * keyboard or by ear would be back at the top of the page.
 */
export const focusContent = (): void => {
  const container = document.activeElement?.closest<HTMLElement>('[role="dialog"], main') ?? document.querySelector('main')
  container?.focus({ preventScroll: true })
}

/** Puts the focus on the page's content where nothing has it any more. */
export const restoreFocus = (): void => {
  if (document.activeElement === null || document.activeElement === document.body) focusContent()
}
