import type { BrandSettings } from '@counterfoil/contract/brands'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { PHONE } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { openScreen } from './portal-screens.ts'

const { signInAs } = usePages()

const LONG_LABEL = 'Cost centre of the department that has ordered what this row bills for'
const UNBREAKABLE_LABEL = 'Kostenstellenverantwortlichkeitsbereichsbezeichnungsschluesselnummern1'
const DESKTOPS = [1440, 1000].map((width) => ({ width, height: 900 }))

const CASES = [LONG_LABEL, UNBREAKABLE_LABEL].flatMap((label) => [1, 5].map((extras) => ({ label, extras })))

test('[TXN-03][SI-01] one column or five, and the service items, under a long label of the brand stay on the page, and the label is read to its end', async () => {
  const page = await signInAs('demo')
  for (const labels of CASES) {
    await mockLabels(page, labels)
    await page.goto('/transactions')
    for (const viewport of [...DESKTOPS, PHONE]) {
      await page.setViewportSize(viewport)
      await expect(page.getByRole('table', { name: 'Transactions' })).toBeVisible()
      await expect.poll(() => measureWidths(page)).toEqual({ page: viewport.width, tableOverflow: 0 })
      const labelPlace = viewport === PHONE ? page.getByRole('term') : page.getByRole('columnheader')
      if (viewport === PHONE) await page.getByRole('row').first().click()
      await expect(labelPlace.getByText(labels.label, { exact: true }).first()).toBeVisible()
    }
    await openScreen(page, '/service-items')
    for (const viewport of [...DESKTOPS, PHONE]) {
      await page.setViewportSize(viewport)
      await expect(page.getByRole('table', { name: labels.label })).toBeVisible()
      await expect(page.getByRole('heading', { level: 1, name: labels.label })).toBeVisible()
      await expect.poll(() => measureWidths(page)).toEqual({ page: viewport.width, tableOverflow: 0 })
    }
  }
})

/** Mocks a brand that gives this label to its service items and to its extra columns. */
const mockLabels = async (page: Page, { label, extras }: { label: string; extras: number }): Promise<void> => {
  const names = [1, 2, 3, 4, 5].map((at) => `extraField${at}`)
  const labels = [{ extraFieldTypeId: 3, ...Object.fromEntries(names.map((name) => [name, label])) }]
  await page.route('**/v1/ec/extra-fields/labels', (route) => route.fulfill({ json: labels }))
  await page.route('**/v1/brands-settings/*', async (route) => {
    const answer = await route.fetch()
    const brand: BrandSettings = await answer.json()
    const flags = names.map((_, at) => [`endPortalTransactionsExtraTab${at + 1}`, at < extras])
    await route.fulfill({ json: { ...brand, ...Object.fromEntries(flags), endServiceItemDisplayName: label } })
  })
}

/** The page's width, and by how much the table is wider than its parent, unless it can be scrolled there. */
const measureWidths = (page: Page): Promise<{ page: number; tableOverflow: number }> =>
  page.getByRole('table').evaluate((table) => ({
    page: document.documentElement.scrollWidth,
    tableOverflow: table.closest('[role=region]') ? 0 : Math.max(0, table.clientWidth - (table.parentElement?.clientWidth ?? 0)),
  }))
