import type { Locator, Page } from 'playwright-core'
import { callApi } from '../../support/api.ts'
import { expect } from '../../support/expect.ts'
import { testEnvironment } from '../../support/test-environment.ts'

/** BPOINT's test cards. */
export const BPOINT_CARDS = { visa: '4987654321098769', mastercard: '5123456789012346', amex: '345678901234564' } as const
/** The test security code with which every card is declined. */
export const DECLINING_CODE = '987'

/** Types a card into the fields of our own page. */
export const typeCard = async (
  page: Page | Locator,
  { number = BPOINT_CARDS.visa as string, expiry = '1231', code = '739' } = {},
): Promise<void> => {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill(expiry)
  await page.getByLabel('Security code').fill(code)
}

/** Types a bank account into its dialog. */
export const typeAccount = async (dialog: Locator, { bsb = '062000', account = '12345678', holder = 'Ada Payer' } = {}): Promise<void> => {
  await dialog.getByLabel('BSB').fill(bsb)
  await dialog.getByLabel('Account number').fill(account)
  await dialog.getByLabel('Account holder').fill(holder)
}

/** Makes the sandbox's BPOINT misbehave at its next calls. */
export const injectBpointFault = async (
  page: Page,
  fault: { operation: string; kind: string; booked?: boolean; times?: number },
): Promise<void> => {
  const answer = await page.request.post(`${testEnvironment().sandboxUrl}/faults`, { data: { provider: 'bpoint', times: 1, ...fault } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** Tells the sandbox what becomes of a debit. */
export const settleDebit = async (page: Page, id: string, outcome: 'succeeded' | 'failed' | 'returned'): Promise<void> => {
  const answer = await page.request.post(`${testEnvironment().sandboxUrl}/settle`, { data: { provider: 'bpoint', id, outcome } })
  expect(answer.status()).toBe(200)
}

/** Stores what is attached to a new key, without the screen. */
const storeMethod = async (page: Page, method: object): Promise<void> => {
  const { authKey } = await callApi<{ authKey: string }>(page, 'GET', '/v1/ec/bpoint/authkeys')
  const url = `${testEnvironment().sandboxUrl}/bpoint/rest/v5/tokens/authkeys/${authKey}/payment-method`
  expect((await page.request.put(url, { data: method })).status()).toBe(200)
  await callApi(page, 'POST', '/v1/ec/bpoint/cards', { body: { authKeys: authKey } })
}

/** Stores a card of the page's customer. */
export const storeBpointCard = (page: Page, number: string = BPOINT_CARDS.visa): Promise<void> =>
  storeMethod(page, { card: { number, expiry: { month: '12', year: '31' }, cvn: '739', name: 'Ada Payer' } })

/** Stores a bank account of the page's customer. */
export const storeBpointAccount = (page: Page): Promise<void> =>
  storeMethod(page, { bank: { bsb: '062000', account: '12345678', name: 'Ada Payer' } })

/** The screen of payment methods of the page's customer, with none stored. */
export const openBpointMethods = async (page: Page): Promise<void> => {
  const { customers } = await callApi<{ customers: { customerId: number; selected: boolean }[] }>(page, 'GET', '/v1/ec/me')
  const customer = customers.find(({ selected }) => selected)?.customerId
  await page.evaluate((id) => localStorage.setItem('current_customer_id', String(id)), customer)
  for (const { id } of await callApi<{ id: string }[]>(page, 'GET', '/v1/ec/bpoint/cards'))
    await callApi(page, 'DELETE', `/v1/ec/bpoint/cards/${id}`)
  await page.goto('/payment-types')
  await expect(page.getByText('No saved cards')).toBeVisible()
  await expect(page.getByText('No saved bank accounts')).toBeVisible()
}

/** The titles of a list with the text of their images, and Default after the default method. */
export const readTitles = (page: Page, list: 'Cards' | 'Direct Debit'): Promise<string[]> =>
  page.getByRole('region', { name: list }).evaluate((region) =>
    [...region.querySelectorAll('h3')].map((row) => {
      const title =
        row
          .querySelector('button')
          ?.textContent?.replace(/(Expires|Ada) .*$/, '')
          .trim() ?? ''
      return row.parentElement?.textContent?.endsWith('Default') ? `${title} Default` : title
    }),
  )

/** Everything that the page sends to our own server from now on, in one text. */
export const collectSent = (page: Page): { readonly text: () => string } => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(testEnvironment().sandboxUrl)) sent.push(`${request.url()} ${request.postData() ?? ''}`)
  })
  return { text: () => sent.join('\n') }
}
