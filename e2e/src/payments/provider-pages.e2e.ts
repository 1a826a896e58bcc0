import type { Invoice } from '@counterfoil/contract/invoices'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../support/accessibility.ts'
import { DESKTOP, PHONE, signInByForm } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { createPayer } from './payer.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { callApi } from '../support/api.ts'

const { openPage } = usePages()

test('[GRID-03][PM-10] axe-core finds nothing on the bank’s page of 3-D Secure, before and after its answer, light and dark', async () => {
  const { page, numbers } = await openPageOfPayer(2204)
  const [invoice] = await callApi<Invoice[]>(page, 'GET', '/v1/ec/invoices')
  const payment = await page.request.post('/v1/ec/pay', {
    data: {
      uid: invoice?.payToken,
      invoiceNumber: numbers[0],
      invoiceAmount: '110.00',
      cardToken: 'pm_card_authenticationRequired',
      cardHolder: 'Ada Payer',
    },
  })
  const { redirectToUrl } = (await payment.json()) as { redirectToUrl: string }
  await page.goto(redirectToUrl)
  await expect(page.getByRole('heading', { name: '3D Secure 2 Test Page' })).toBeVisible()
  expect(await findViolationsAtBothWidths(page)).toEqual([])
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page).toHaveURL(new RegExp(`^${testEnvironment().url}/pay/`))
  await page.goto(redirectToUrl)
  await expect(page.getByText('Nothing is left to do here')).toBeVisible()
  expect(await findViolationsAtBothWidths(page)).toEqual([])
})

test('[GRID-03][PM-12] axe-core finds nothing on the provider’s own page for a bank account, empty, refused and done, light and dark', async () => {
  const { page } = await openPageOfPayer(3001)
  const { url } = await callApi<{ url: string }>(page, 'GET', '/v1/ec/payments/checkout-session/us_bank_account')
  await page.goto(url)
  await expect(page.getByLabel('Account holder name')).toBeVisible()
  expect(await findViolationsAtBothWidths(page)).toEqual([])
  await page.getByLabel('Account holder name').fill('Jordan Ames')
  await page.getByLabel('Email').fill('jordan@example.com')
  await page.getByLabel('Routing number').fill('110000000')
  await page.getByLabel('Account number').fill('000123456789')
  // Without this the browser itself would refuse a form whose required box is not checked.
  await page.locator('form').evaluate((form: HTMLFormElement) => (form.noValidate = true))
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await findViolationsAtBothWidths(page)).toEqual([])
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect(page).toHaveURL(/\/payment-types/)
  await page.goto(url)
  await expect(page.getByText('You’re all done here')).toBeVisible()
  expect(await findViolationsAtBothWidths(page)).toEqual([])
})

const openPageOfPayer = async (reseller: 2204 | 3001): Promise<{ page: Page; numbers: readonly string[] }> => {
  const { username, password, numbers } = await createPayer(testEnvironment().dataDir, 1, reseller)
  const page = await openPage()
  await signInByForm(page, username, password)
  await callApi(page, 'GET', '/v1/ec/invoices')
  return { page, numbers }
}

/** The violations on the page at both widths and in both colour schemes. */
const findViolationsAtBothWidths = async (page: Page): Promise<string[]> => {
  const findings: string[] = []
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport)
    findings.push(...(await findViolations(page)))
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > viewport.width) findings.push(`${viewport.width}: ${width} px wide`)
  }
  return findings
}
