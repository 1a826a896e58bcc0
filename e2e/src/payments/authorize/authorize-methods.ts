import type { Locator, Page } from 'playwright-core'
import { callApi } from '../../support/api.ts'
import { runCli } from '../../support/command-line.ts'
import { expect } from '../../support/expect.ts'
import { testEnvironment } from '../../support/test-environment.ts'

/** Authorize.net's test cards and a valid routing number. */
export const AUTHORIZE_CARDS = { visa: '4111111111111111', mastercard: '5424000000000015', amex: '370000000000002' } as const
export const ROUTING_NUMBER = '121042882'
/** The test ZIP code with which every card is declined. */
export const DECLINING_ZIP = '46282'

const RESELLER = '3004'

/** Changes a setting of the demo reseller. */
export const setPaymentOption = (option: '--raw-card' | '--billing-address', to: 'on' | 'off'): Promise<unknown> =>
  runCli(testEnvironment().dataDir, 'reseller', 'payments', 'set', RESELLER, option, to)

/** Types a card; a dialog that stores one has no security code. */
export const typeCard = async (
  page: Page | Locator,
  { number = AUTHORIZE_CARDS.visa as string, expiry = '1231', code = '' } = {},
): Promise<void> => {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill(expiry)
  if (code !== '') await page.getByLabel('Security code').fill(code)
}

/** Types a bank account into its dialog. */
export const typeAccount = async (
  dialog: Locator,
  { routing = ROUTING_NUMBER, number = '123456789', name = 'Ada Payer', bank = 'First Bank', type = 'checking' } = {},
): Promise<void> => {
  await dialog.getByLabel('Routing number').fill(routing)
  await dialog.getByLabel('Account number').fill(number)
  await dialog.getByLabel('Account name').fill(name)
  await dialog.getByLabel('Bank name').fill(bank)
  await dialog.getByLabel('Account type').selectOption(type)
}

/** Makes the sandbox's Authorize.net misbehave at its next calls. */
export const injectAuthorizeFault = async (page: Page, fault: { operation: string; kind: string; booked?: boolean }): Promise<void> => {
  const answer = await page.request.post(`${testEnvironment().sandboxUrl}/faults`, { data: { provider: 'authorize', times: 1, ...fault } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** Tells the sandbox what becomes of a transaction. */
export const settleTransaction = async (page: Page, id: string, outcome: 'succeeded' | 'failed' | 'returned'): Promise<void> => {
  const answer = await page.request.post(`${testEnvironment().sandboxUrl}/settle`, { data: { provider: 'authorize', id, outcome } })
  expect(answer.status()).toBe(200)
}

/** Stores a card of the page's customer. */
export const storeAuthorizeCard = (page: Page, cardNumber: string = AUTHORIZE_CARDS.visa): Promise<void> =>
  callApi(page, 'POST', '/v1/ec/autorize/cards', { body: { cardNumber, expirationDate: '2031-12' } })

/** Stores a bank account of the page's customer. */
export const storeAuthorizeAccount = (page: Page): Promise<void> =>
  callApi(page, 'POST', '/v1/ec/autorize/ach', {
    body: {
      routingNumber: ROUTING_NUMBER,
      accountNumber: '123456789',
      nameOnAccount: 'Ada Payer',
      bankName: 'First Bank',
      accountType: 'checking',
    },
  })

/** The screen of payment methods of the page's customer, with none stored. */
export const openAuthorizeMethods = async (page: Page): Promise<void> => {
  const { customers } = await callApi<{ customers: { customerId: number; selected: boolean }[] }>(page, 'GET', '/v1/ec/me')
  const customer = customers.find(({ selected }) => selected)?.customerId
  await page.evaluate((id) => localStorage.setItem('current_customer_id', String(id)), customer)
  for (const kind of ['cards', 'ach'])
    for (const { id } of await callApi<{ id: string }[]>(page, 'GET', `/v1/ec/autorize/${kind}`))
      await callApi(page, 'DELETE', `/v1/ec/autorize/${kind}/${id}`)
  await page.goto('/payment-types')
  await expect(page.getByText('No saved cards')).toBeVisible()
  await expect(page.getByText('No saved bank accounts')).toBeVisible()
}

/** The titles of a list, with Default after the default method. */
export const readTitles = (page: Page, list: 'Cards' | 'ACH'): Promise<string[]> =>
  page.getByRole('region', { name: list }).evaluate((region) =>
    [...region.querySelectorAll('h3')].map((row) => {
      const title =
        row
          .querySelector('button')
          ?.textContent?.replace(/Ada .*$/, '')
          .trim() ?? ''
      return row.parentElement?.textContent?.endsWith('Default') ? `${title} Default` : title
    }),
  )
