import type { Invoice } from '@counterfoil/contract/invoices'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { DESKTOP, PHONE, signIn } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { createPayer } from './payer.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { type Api, signInToApi } from '../support/api.ts'

const { openPage } = usePages()

test('[GRID-03][PM-10] axe-core finds nothing on the bank’s page of 3-D Secure, before and after its answer, light and dark', async () => {
  const { page, api } = await openPageOfPayer(2204)
  const [invoice] = await api<Invoice[]>('GET', '/v1/ec/invoices')
  const payment = await page.request.post('/v1/ec/pay', {
    data: {
      uid: invoice?.payToken,
      invoiceNumber: invoice?.number,
      invoiceAmount: '110.00',
      cardToken: 'pm_card_authenticationRequired',
      cardHolder: 'Ada Payer',
    },
  })
  const { redirectToUrl } = (await payment.json()) as { redirectToUrl: string }
  await page.goto(redirectToUrl)
  await expect(page.getByRole('heading', { name: '3D Secure 2 Test Page' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page).toHaveURL(new RegExp(`^${testEnvironment().url}/pay/`))
  await page.goto(redirectToUrl)
  await expect(page.getByText('Nothing is left to do here')).toBeVisible()
  await expectAccessible(page)
})

test('[GRID-03][PM-12] axe-core finds nothing on the provider’s own page for a bank account, empty, refused and done, light and dark', async () => {
  const { page, api } = await openPageOfPayer(3001)
  const { url } = await api<{ url: string }>('GET', '/v1/ec/payments/checkout-session/us_bank_account')
  await page.goto(url)
  await expect(page.getByLabel('Account holder name')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Account holder name').fill('Jordan Ames')
  await page.getByLabel('Email').fill('jordan@example.com')
  await page.getByLabel('Routing number').fill('110000000')
  await page.getByLabel('Account number').fill('000123456789')
  // Without this the browser itself would refuse a form whose required box is not checked.
  await page.locator('form').evaluate((form: HTMLFormElement) => (form.noValidate = true))
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect(page).toHaveURL(/\/payment-types/)
  await page.goto(url)
  await expect(page.getByText('You’re all done here')).toBeVisible()
  await expectAccessible(page)
})

/** A page that a payer with one open invoice is signed in on, before its first screen. */
const openPageOfPayer = async (reseller: 2204 | 3001): Promise<{ page: Page; api: Api }> => {
  const { username, password } = await createPayer(testEnvironment().dataDir, 1, reseller)
  const page = await openPage()
  await signIn(page, username, password)
  return { page, api: await signInToApi(username, password) }
}

/** Axe-core finds nothing on the page, and on a phone it does not scroll sideways. */
const expectAccessible = async (page: Page): Promise<void> => {
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize(PHONE)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  await page.setViewportSize(DESKTOP)
}
