import type { FrameLocator, Locator, Page } from 'playwright-core'
import { callApi } from '../../support/api.ts'
import { runCli } from '../../support/command-line.ts'
import { expect } from '../../support/expect.ts'
import { testEnvironment } from '../../support/test-environment.ts'

/** Moneris' test cards. */
export const MONERIS_CARDS = { visa: '4242424242424242', mastercard: '5454545454545454', amex: '373599005095005' } as const

const RESELLER = '3006'

/** Changes a setting of the demo reseller. */
export const setPaymentOption = (option: '--raw-card' | '--billing-address', to: 'on' | 'off'): Promise<unknown> =>
  runCli(testEnvironment().dataDir, 'reseller', 'payments', 'set', RESELLER, option, to)

/** Types a card into the fields of our own page. */
export const typeCard = async (
  page: Page | Locator,
  { number = MONERIS_CARDS.visa as string, expiry = '1231', code = '739' } = {},
): Promise<void> => {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill(expiry)
  await page.getByLabel('Security code').fill(code)
}

/** Moneris' own fields. */
export const hostedFields = (page: Page): FrameLocator => page.frameLocator('iframe[title="Card details"]')

/** Types a card into Moneris' own fields. */
export const typeHostedCard = async (
  page: Page,
  { number = MONERIS_CARDS.visa as string, expiry = '1231', code = '739' } = {},
): Promise<void> => {
  const frame = hostedFields(page)
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiry date (MMYY)').fill(expiry)
  await frame.getByLabel('CVD').fill(code)
}

/** Makes the sandbox's Moneris misbehave at its next calls. */
export const injectMonerisFault = async (
  page: Page,
  fault: { operation: string; kind: string; booked?: boolean; ms?: number },
): Promise<void> => {
  const answer = await page.request.post(`${testEnvironment().sandboxUrl}/faults`, { data: { provider: 'moneris', times: 1, ...fault } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** Stores a card of the page's customer. */
export const storeMonerisCard = (page: Page, cardNumber: string = MONERIS_CARDS.visa): Promise<void> =>
  callApi(page, 'POST', '/v1/ec/moneris/cards', {
    body: { cardNumber, cvdValue: cardNumber.length === 15 ? '7391' : '739', expMonth: '12', expYear: '2031', phone: '', email: '' },
  })

/** Deletes every stored card of the selected customer. */
const deleteMonerisCards = async (page: Page): Promise<void> => {
  for (const { id } of await callApi<{ id: string }[]>(page, 'GET', '/v1/ec/moneris/cards'))
    await callApi(page, 'DELETE', `/v1/ec/moneris/cards/${id}`)
}

/** The screen of payment methods of the demo user, with none stored. */
export const openMonerisMethods = async (page: Page): Promise<void> => {
  const { customers } = await callApi<{ customers: { customerId: number; selected: boolean }[] }>(page, 'GET', '/v1/ec/me')
  const customer = customers.find(({ selected }) => selected)?.customerId
  await page.evaluate((id) => localStorage.setItem('current_customer_id', String(id)), customer)
  await deleteMonerisCards(page)
  await page.goto('/payment-types')
  await expect(page.getByText('No saved cards')).toBeVisible()
}

/** The titles of the cards, with Default after the default one. */
export const readCardTitles = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Cards' }).evaluate((region) =>
    [...region.querySelectorAll('h3')].map((row) => {
      const title = row.textContent?.replace(/Expires.*/, '').trim() ?? ''
      return row.parentElement?.textContent?.endsWith('Default') ? `${title} Default` : title
    }),
  )
