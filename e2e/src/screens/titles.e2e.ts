import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, newContext, enter } from '../support/browser.ts'
import { world } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

test('[NAV-09] each section says its title', async () => {
  const person = await newContext(browser, world().url)
  const page = await person.newPage()
  await enter(page, 'demo')
  for (const [path, title] of [
    ['/transactions', 'Transactions'],
    ['/usage', 'Usage'],
    ['/reports', 'Reports'],
    ['/cost-centre', 'Cost Centre Allocation'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect(page).toHaveURL(path)
  }
  await person.close()
})
