import type { Page } from 'playwright-core'
import { beforeAll, test } from 'vitest'
import { type NewerApi, newerApis } from '../../../scripts/browsers/newer-apis.ts'
import { createPayer, type Payer } from '../payments/payer.ts'
import { selectPayableInvoices } from '../payments/payable-invoices.ts'
import { fillCard, TEST_CARDS } from '../payments/stripe-elements.ts'
import { signIn, signInByForm } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { collectPageErrors } from '../support/page-errors.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { openScreen } from './portal-screens.ts'

const { openPage } = usePages()

let payer: Payer
beforeAll(async () => {
  payer = await createPayer(testEnvironment().dataDir, 2, 3001)
})

test('[AUTH-01][INV-01][SP-02] signing in, lists and a payment work without what the oldest browsers lack', async () => {
  const page = await openOldBrowser()
  const errors = await collectPageErrors(page)
  await signInByForm(page, 'us')
  for (const path of ['/usage', '/transactions', '/invoices']) {
    await openScreen(page, path)
    await expect(page.getByRole('main').getByRole('table').first()).toBeVisible()
  }
  await page.evaluate(() => localStorage.clear())
  await openPayLink(page)
  await page.getByLabel('Name on card').fill('Casey Payer')
  await page.getByLabel('Address', { exact: true }).fill('1 Main Street')
  await page.getByLabel('City').fill('Portland')
  await page.getByLabel('State or province').fill('ME')
  await page.getByLabel('Postcode or ZIP').fill('04101')
  await page.getByLabel('Country').selectOption('US')
  await fillCard(page, TEST_CARDS.good)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  expect(errors).toEqual([])
})

test('[AUTH-01][SP-01] a browser that is too old reads so on every page, and a newer one never does', async () => {
  const page = await openPage()
  // The page's scripts do not run in an old browser.
  await page.route('**/*.js', (route) => route.abort())
  const words = page.getByRole('heading', { name: 'This browser is too old' })
  const paths = ['/login', '/dashboard', '/pay/link', '/reset-password/link']
  for (const path of paths) {
    await page.goto(path)
    await expect(words).not.toBeVisible()
  }
  await page.route('**/*.css', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('color-mix(in srgb, red, blue)', 'unknown(red)') })
  })
  for (const path of paths) {
    await page.goto(path)
    await expect(words).toBeVisible()
    await expect(page.getByText(/^Update it, or open this page with a current Safari, Chrome, Edge or Firefox\./)).toBeVisible()
  }
})

test("[SP-01] where the provider's script breaks, the page says that it could not be shown, and not why", async () => {
  const page = await openPage()
  await page.addInitScript(() => {
    const elements = (): never => {
      throw new TypeError('AbortSignal.any is not a function')
    }
    Object.defineProperty(globalThis, 'Stripe', { value: Object.assign(() => ({ elements }), { version: 3 }) })
  })
  await openPayLink(page)
  await expect(page.getByText('This page could not be shown.', { exact: false })).toBeVisible()
  await expect(page.locator('body')).not.toContainText('AbortSignal')
})

/** Opens the payment link of an invoice that no other test pays, as a stranger. */
const openPayLink = async (page: Page): Promise<void> => {
  await signIn(page, payer.username, payer.password)
  const [invoice] = await selectPayableInvoices(page)
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto(`/pay/${invoice?.payToken}`)
}

/** Playwright's own scripts use it; React Aria asks for it first. */
const isLeft = ({ name }: NewerApi): boolean => name === 'checkVisibility'

/** A page in which a script finds only what every browser of the floor has. */
const openOldBrowser = async (): Promise<Page> => {
  const page = await openPage()
  await page.addInitScript(
    removeApis,
    newerApis().filter((api) => !isLeft(api)),
  )
  await page.goto('/healthz')
  expect(await page.evaluate(() => ['any' in AbortSignal, 'groupBy' in Map, 'canParse' in URL, 'Temporal' in globalThis])).toEqual([
    false,
    false,
    false,
    false,
  ])
  return page
}

/** Runs in the page, before its scripts. */
const removeApis = (apis: NewerApi[]): void => {
  const find = (path: string): object | undefined =>
    path.split('.').reduce<unknown>((owner, name) => (owner as Record<string, unknown> | undefined)?.[name], globalThis) as
      | object
      | undefined
  for (const { owner, name, isStatic } of apis) {
    const holder = owner === undefined ? globalThis : find(owner)
    if (holder === undefined) continue
    Reflect.deleteProperty(holder, name)
    if (!isStatic && 'prototype' in holder) Reflect.deleteProperty(holder.prototype as object, name)
  }
}
