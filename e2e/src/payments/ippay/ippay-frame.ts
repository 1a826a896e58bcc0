import type { FrameLocator, Page } from 'playwright-core'
import { callApi } from '../../support/api.ts'
import { runCli } from '../../support/command-line.ts'
import { expect } from '../../support/expect.ts'
import { testEnvironment } from '../../support/test-environment.ts'

/** IPpay's test cards, and those of its stand-in. */
export const IPPAY_CARDS = {
  visa: '4000300020001000',
  mastercard: '5454545454545454',
  screened: '4000300020001103',
  declined: '4000300020001208',
} as const

const RESELLER = '3005'

/** Changes a setting of the demo reseller. */
export const setPaymentOption = (option: '--billing-address' | '--email-receipt', to: 'on' | 'off'): Promise<unknown> =>
  runCli(testEnvironment().dataDir, 'reseller', 'payments', 'set', RESELLER, option, to)

/** IPpay's own page. */
export const hostedPage = (page: Page): FrameLocator => page.frameLocator('iframe[title="Payment details"]')

/** Types a card into IPpay's own page. */
export const typeCard = async (
  page: Page,
  { holder = 'Caleb Norris', number = IPPAY_CARDS.visa as string, expiry = '12 / 31', code = '123' } = {},
): Promise<void> => {
  const frame = hostedPage(page)
  await frame.getByLabel('Cardholder').fill(holder)
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiry date (MM / YY)').fill(expiry)
  await frame.getByLabel('Security code').fill(code)
}

/** Types a bank account into IPpay's own page. */
export const typeAccount = async (page: Page, number = '11111999'): Promise<void> => {
  const frame = hostedPage(page)
  await frame.getByLabel('Account holder').fill('Caleb Norris')
  await frame.getByLabel('Routing number').fill('071025661')
  await frame.getByLabel('Account number').fill(number)
}

/** The button of IPpay's own page. */
export const frameButton = (page: Page, name: RegExp | string = /^(Pay|Save)/) => hostedPage(page).getByRole('button', { name })

/** Makes the sandbox's IPpay misbehave at its next calls. */
export const injectIPpayFault = async (
  page: Page,
  fault: { operation: string; kind: string; booked?: boolean; ms?: number; times?: number },
): Promise<void> => {
  const answer = await page.request.post(`${testEnvironment().sandboxUrl}/faults`, { data: { provider: 'ippay', times: 1, ...fault } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** Opens the view that adds a card or an account, with its frame. */
export const openAddView = async (page: Page, kind: 'Credit Card' | 'ACH' = 'Credit Card'): Promise<void> => {
  await page.getByRole('button', { name: 'Add card' }).click()
  await page.getByRole('radio', { name: kind }).check()
  await expect(hostedPage(page).getByLabel(kind === 'ACH' ? 'Account number' : 'Card number')).toBeVisible()
}

/** Stores a card or an account of the page's customer, on the screen of payment methods, which is reloaded then. */
export const storeByFrame = async (
  page: Page,
  number: string = IPPAY_CARDS.visa,
  kind: 'Credit Card' | 'ACH' = 'Credit Card',
): Promise<void> => {
  if (new URL(page.url()).pathname !== '/payment-types') await page.goto('/payment-types')
  await openAddView(page, kind)
  await (kind === 'ACH' ? typeAccount(page, number) : typeCard(page, { number }))
  await frameButton(page).click()
  await expect(page.getByRole('button', { name: new RegExp(`•••• ${number.slice(-4)}`) })).toBeVisible()
}

/** The screen of payment methods of the demo user, with none stored. */
export const openIPpayMethods = async (page: Page): Promise<void> => {
  const { customers } = await callApi<{ customers: { customerId: number; selected: boolean }[] }>(page, 'GET', '/v1/ec/me')
  const customer = customers.find(({ selected }) => selected)?.customerId
  await page.evaluate((id) => localStorage.setItem('current_customer_id', String(id)), customer)
  for (const { id } of await callApi<{ id: string }[]>(page, 'GET', '/v1/ec/ippay/cards'))
    await callApi(page, 'DELETE', `/v1/ec/ippay/cards/${id}`)
  await page.goto('/payment-types')
  await expect(page.getByText('No saved cards')).toBeVisible()
}

/** The titles of the methods, with Default after the default one. */
export const readMethodTitles = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Cards' }).evaluate((region) =>
    [...region.querySelectorAll('h3')].map((row) => {
      const title = row.textContent?.replace(/Expires.*/, '').trim() ?? ''
      return row.parentElement?.textContent?.endsWith('Default') ? `${title} Default` : title
    }),
  )
