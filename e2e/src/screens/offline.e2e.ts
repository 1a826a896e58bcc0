import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { usePages } from '../support/pages.ts'

const { openPageAs } = usePages()

/** The message for a fault of the portal or the server, which a missing connection is not. */
const SERVER_FAULT = 'Something went wrong on our side'

test('[GRID-02] a section opened for the first time without a network says so, and comes by itself with the network', async () => {
  const page = await openPageAs('none')
  await page.context().setOffline(true)
  await sectionLink(page, 'Usage').click()
  await expectNoConnection(page)

  await page.context().setOffline(false)
  await expect(page.getByRole('table', { name: 'Usage' })).toBeVisible()
  await expect(page).toHaveURL(/\/usage(\?|$)/)
})

test('[GRID-02] where the server cannot be reached, a new section says so at every press, and comes at the first that reaches it', async () => {
  const page = await openPageAs('none')
  const stopFailing = await failRequests(page, '**/*', (route) => route.abort())
  await sectionLink(page, 'Usage').click()
  await expectNoConnection(page)
  await retryButton(page).click()
  await expect(page.getByText('The server still could not be reached.')).toBeVisible()

  stopFailing()
  await retryButton(page).click()
  await expect(page.getByRole('table', { name: 'Usage' })).toBeVisible()
})

test('[GRID-02] a program that the server no longer has is a fault of ours, not of the connection', async () => {
  const page = await openPageAs('none')
  await page.route('**/assets/usage-page*', (route) => route.fulfill({ status: 404 }))
  await sectionLink(page, 'Usage').click()
  await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible()
  await expect(page.getByText(SERVER_FAULT)).toBeVisible()
  await expect(page.getByText('Check your connection')).toHaveCount(0)
})

test('[GRID-02] what a section could not load without a network is loaded as soon as there is one, and the banner goes', async () => {
  const page = await openPageAs('none')
  await sectionLink(page, 'Usage').click()
  await expect(page.getByRole('table', { name: 'Usage' })).toBeVisible()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /Filter by timeframe/ }).click()
  await page.getByRole('option', { name: 'Last Month' }).click()
  await expect(page.getByText('Usage could not be loaded.')).toBeVisible()
  await expect(page.getByText('Our server returned error, try again later')).toBeVisible()

  await page.context().setOffline(false)
  await expect(page.getByRole('table', { name: 'Usage' })).toBeVisible()
  await expect(page.getByText('Our server returned error, try again later')).toHaveCount(0)
})

test('[NAV-06] the payment screen, whose document has to be loaded anew, leaves the portal standing without a network', async () => {
  const page = await openPageAs('demo')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Payment Types' }).click()
  await expectNoConnection(page)
  await expect(page.getByRole('banner')).toBeVisible()

  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { name: 'Payment Types', level: 1 })).toBeVisible()
})

const sectionLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true })

const retryButton = (page: Page) => page.getByRole('button', { name: 'Try again' })

const expectNoConnection = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await expect(page.getByText('Check your connection and try again.')).toBeVisible()
  await expect(page.getByText(SERVER_FAULT)).toHaveCount(0)
}
