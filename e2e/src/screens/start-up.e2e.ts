import type { Page, Route } from 'playwright-core'
import { test } from 'vitest'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { goTo } from './portal-screens.ts'

const { signInAs } = usePages()

/** The most requests, calls and files, until the dashboard stands. */
const MAX_REQUESTS = 25
const ONE_ROW_PX = 65

test('[EASE-11][EASE-12] the dashboard needs few requests, with Inter and compressed scripts, and its header is one row, aligned with the content; the dictionary of passwords comes with the first key', async () => {
  const page = await signInAs('demo')
  const urls: string[] = []
  page.on('request', (request) => void urls.push(request.url()))
  const script = page.waitForResponse((response) => /app-library.*\.js$/.test(response.url()))
  await page.goto('/dashboard')
  expect((await (await script).allHeaders())['content-encoding']).toMatch(/^(br|gzip)$/)
  await expect(page.getByRole('table', { name: 'Latest 5 Invoices' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(urls.length, urls.join('\n')).toBeLessThanOrEqual(MAX_REQUESTS)
  expect(await page.locator('link[rel=preload][as=font]').count()).toBe(1)
  await expectOneRow(page)

  await goTo(page, '/settings')
  const password = page.getByLabel('New Password', { exact: true })
  await expect(password).toBeVisible()
  const before = await loadedBytes(page)
  await password.fill('harbour-lantern-8821')
  await expect(page.getByRole('status', { name: 'Password strength' })).toHaveText('Great')
  expect(await loadedBytes(page)).toBeGreaterThan(before + 200_000)
})

/** The header is one row at every width, aligned with the content; what does not fit stands under More, also by keyboard. */
const expectOneRow = async (page: Page): Promise<void> => {
  for (const width of [1280, 1920, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => heightOfHeader(page)).toBeLessThanOrEqual(ONE_ROW_PX)
    await expect.poll(async () => Math.abs((await leftOf(page, 'header img')) - (await leftOf(page, 'main h1')))).toBeLessThan(5)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
  const more = page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: 'More' })
  await more.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem').last().press('Enter')
  await expect(page).toHaveURL('/service-items')
  await page.setViewportSize({ width: 800, height: 900 })
  await expect.poll(() => heightOfHeader(page)).toBeLessThanOrEqual(ONE_ROW_PX)
}

test('[EASE-12] header and title stand while the account still loads, and after a second words say what it waits for', async () => {
  const page = await signInAs('demo')
  const held: Route[] = []
  await page.route('**/v1/ec/settings', (route) => void held.push(route))
  await page.goto('/transactions')
  await expect(page.getByRole('banner').getByText('Mara Holt')).toBeVisible()
  await expect(page.getByRole('main').getByText('Transactions', { exact: true })).toBeVisible()
  const words = page.getByRole('main').getByText('Loading the page…')
  await expect.poll(() => words.evaluate((element) => getComputedStyle(element).opacity)).toBe('1')
  await Promise.all(held.map((route) => route.continue()))
  await expect(page.getByRole('heading', { name: 'Transactions', level: 1 })).toBeVisible()
})

const heightOfHeader = (page: Page): Promise<number> => page.getByRole('banner').evaluate((header) => header.clientHeight)

const leftOf = (page: Page, selector: string): Promise<number> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => Math.round(element.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(element).paddingLeft)))

/** The bytes of all scripts, as they were sent. */
const loadedBytes = (page: Page): Promise<number> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
  )
