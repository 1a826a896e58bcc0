import type { Page } from 'playwright-core'

/**
 * Opens a section by its link in the header, also where that stands in the menu under More just now. No document is loaded. A real click
 * would miss a link that moves there while the logo arrives.
 */
export const openSection = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true, includeHidden: true }).dispatchEvent('click')
