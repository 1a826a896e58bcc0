import type { Page } from 'playwright-core'

/** Opens a section as a person does, by its link in the header or in the menu under More. No document is loaded. */
export const openSection = async (page: Page, name: string): Promise<void> => {
  const sections = page.getByRole('navigation', { name: 'Sections' })
  const link = sections.getByRole('link', { name, exact: true })
  if (await link.isVisible()) return link.click()
  await sections.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
