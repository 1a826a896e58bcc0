import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { expect } from '../support/expect.ts'
import { failRequests } from '../support/failing-requests.ts'
import { usePages } from '../support/pages.ts'

const { openPageAs } = usePages()

/** The message for a fault of the portal or the server, which a missing connection is not. */
const SERVER_FAULT = 'Something went wrong on our side'

test('[GRID-02] without a network a section says so, or that it could not load, and comes by itself with the network, where the banner goes', async () => {
  const page = await openPageAs('none')
  await page.context().setOffline(true)
  await sectionLink(page, 'Usage').click()
  await expectNoConnection(page)
  await page.context().setOffline(false)
  await expect(page.getByRole('table', { name: 'Usage' })).toBeVisible()
  await expect(page).toHaveURL(/\/usage(\?|$)/)

  await page.context().setOffline(true)
  await page.getByRole('button', { name: /Filter by timeframe/ }).click()
  await page.getByRole('option', { name: 'Last Month' }).click()
  await expect(page.getByText('Usage could not be loaded.')).toBeVisible()
  await expect(page.getByText('Our server returned error, try again later')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('table', { name: 'Usage' })).toBeVisible()
  await expect(page.getByText('Our server returned error, try again later')).toHaveCount(0)
})

test('[GRID-02][NAV-06] a server that cannot be reached and the payment screen without a network are a missing connection, a program that the server no longer has is a fault of ours', async () => {
  const page = await openPageAs('demo')
  const stopFailing = await failRequests(page, '**/*', (route) => route.abort())
  await sectionLink(page, 'Usage').click()
  await expectNoConnection(page)
  await retryButton(page).click()
  await expect(page.getByText('The server still could not be reached.')).toBeVisible()
  stopFailing()
  await retryButton(page).click()
  await expect(page.getByRole('table', { name: 'Usage' })).toBeVisible()

  await page.route('**/assets/transactions-page*', (route) => route.fulfill({ status: 404 }))
  await sectionLink(page, 'Transactions').click()
  await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible()
  await expect(page.getByText(SERVER_FAULT)).toBeVisible()
  await expect(page.getByText('Check your connection')).toHaveCount(0)

  // The document of the payment screen has to be loaded anew.
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
