import type { Invoice } from '@counterfoil/contract/invoices'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE, signIn } from '../support/browser.ts'
import { freshPayer } from './payer.ts'
import { called } from './payable-invoices.ts'
import { people } from '../support/people.ts'
import { world } from '../support/world.ts'

const { person } = people()

test('[GRID-03][PM-10] axe-core finds nothing on the bank’s page of 3-D Secure, before and after its answer, light and dark', async () => {
  const { page, numbers } = await signedInPayer(2204)
  const [invoice] = await called<Invoice[]>(page, 'GET', '/v1/ec/invoices')
  const paid = await page.request.post('/v1/ec/pay', {
    data: {
      uid: invoice?.payToken,
      invoiceNumber: numbers[0],
      invoiceAmount: '110.00',
      cardToken: 'pm_card_authenticationRequired',
      cardHolder: 'Ada Payer',
    },
  })
  const { redirectToUrl } = (await paid.json()) as { redirectToUrl: string }
  await page.goto(redirectToUrl)
  await page.getByRole('heading', { name: '3D Secure 2 Test Page' }).waitFor()
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Complete' }).click()
  await page.waitForURL('**/pay/**')
  await page.goto(redirectToUrl)
  await page.getByText('Nothing is left to do here').waitFor()
  expect(await findings(page)).toEqual([])
})

test('[GRID-03][PM-12] axe-core finds nothing on the company’s own page for a bank account, empty, refused and done, light and dark', async () => {
  const { page } = await signedInPayer(3001)
  const { url } = await called<{ url: string }>(page, 'GET', '/v1/ec/payments/checkout-session/us_bank_account')
  await page.goto(url)
  await page.getByLabel('Account holder name').waitFor()
  expect(await findings(page)).toEqual([])
  await page.getByLabel('Account holder name').fill('Jordan Ames')
  await page.getByLabel('Email').fill('jordan@example.com')
  await page.getByLabel('Routing number').fill('110000000')
  await page.getByLabel('Account number').fill('000123456789')
  // The browser itself would hold back a form whose box is not ticked; the page has words for it all the same.
  await page.locator('form').evaluate((form: HTMLFormElement) => (form.noValidate = true))
  await page.getByRole('button', { name: 'Save account' }).click()
  await page.getByRole('alert').waitFor()
  expect(await findings(page)).toEqual([])
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Save account' }).click()
  await page.waitForURL('**/payment-types**')
  await page.goto(url)
  await page.getByText('You’re all done here').waitFor()
  expect(await findings(page)).toEqual([])
})

const signedInPayer = async (reseller: 2204 | 3001): Promise<{ page: Page; numbers: readonly string[] }> => {
  const { username, password, numbers } = await freshPayer(world().dataDir, 1, reseller)
  const page = await person()
  await signIn(page, username, password)
  await called(page, 'GET', '/v1/ec/invoices')
  return { page, numbers }
}

/** What is wrong with the page as it stands, in both sizes and schemes. */
const findings = async (page: Page): Promise<string[]> => {
  const all: string[] = []
  for (const viewport of [DESKTOP, PHONE])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const { violations } = await new AxeBuilder({ page }).analyze()
      const where = `${viewport.width} ${colorScheme}`
      all.push(...violations.map(({ id, nodes }) => `${where}: ${id} at ${nodes.map(({ html }) => html.slice(0, 120)).join(' and ')}`))
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > viewport.width) all.push(`${where}: ${width} px wide`)
    }
  return all
}
