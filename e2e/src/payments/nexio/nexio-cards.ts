import type { FrameLocator, Locator, Page } from 'playwright-core'
import { callApi } from '../../support/api.ts'
import { runCli } from '../../support/command-line.ts'
import { expect } from '../../support/expect.ts'
import { testEnvironment } from '../../support/test-environment.ts'

/** Cards of the sandbox's Nexio. */
export const NEXIO_CARDS = { good: '4111111111111111', authenticating: '4000000000003220' } as const

/** Types a card into the fields of our own page. */
export const typeCard = async (page: Page | Locator, { number = NEXIO_CARDS.good as string, code = '123' } = {}): Promise<void> => {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill('1231')
  await page.getByLabel('Security code').fill(code)
}

/** Nexio's own frame. */
export const cardFrame = (page: Page): FrameLocator => page.frameLocator('iframe[title="Card details"]')

/** Types a card into Nexio's own frame. */
export const typeFramedCard = async (page: Page, code = '123'): Promise<void> => {
  const frame = cardFrame(page)
  await frame.getByLabel('Name on card').fill('Ada Holder')
  await frame.getByLabel('Card number').fill(NEXIO_CARDS.good)
  await frame.getByLabel('Expiration month').fill('12')
  await frame.getByLabel('Expiration year').fill('2031')
  await frame.getByLabel('Security code').fill(code)
}

/** Types who pays, where the form asks for it. */
export const typePayer = async (page: Page | Locator): Promise<void> => {
  await page.getByLabel('Payer first name').fill('Augusta')
  await page.getByLabel('Payer last name').fill('Payersen')
}

/** Switches whether the demo reseller takes card numbers on its pages. */
export const setCardNumbers = (to: 'on' | 'off'): Promise<unknown> =>
  runCli(testEnvironment().dataDir, 'reseller', 'payments', 'set', '3008', '--raw-card', to)

/** Makes the sandbox's Nexio misbehave at its next call. */
export const injectNexioFault = async (page: Page, fault: { operation: string; kind: string; booked?: boolean }): Promise<void> => {
  const answer = await page.request.post(`${testEnvironment().sandboxUrl}/faults`, { data: { provider: 'nexio', times: 1, ...fault } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** Deletes every stored card and bank account of the selected customer. */
export const deleteNexioMethods = async (page: Page): Promise<void> => {
  for (const path of ['/v1/ec/nexio/cards', '/v1/ec/nexio/ach'])
    for (const { id } of await callApi<{ id: string }[]>(page, 'GET', path)) await callApi(page, 'DELETE', `${path}/${id}`)
}

/** Stores a card on the screen of payment methods. */
export const storeCard = async (page: Page, number: string = NEXIO_CARDS.good): Promise<void> => {
  await page.goto('/payment-types')
  await page.getByRole('button', { name: 'Add card' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name on card').fill('Ada Holder')
  await typeCard(dialog, { number })
  await typePayer(dialog)
  await dialog.getByLabel('Shipping address').fill('2 Harbour Road')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('button', { name: new RegExp(`•••• ${number.slice(-4)}`) }).first()).toBeVisible()
}

/** Stores a bank account on the screen of payment methods. */
export const storeAccount = async (page: Page): Promise<void> => {
  await page.goto('/payment-types')
  await page.getByRole('button', { name: 'Add bank account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Account holder name').fill('Ada Holder')
  await dialog.getByLabel('Routing number').fill('2313-7515 1')
  await dialog.getByLabel('Account number').fill('9876-5432 1')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('button', { name: /Bank account •••• 4321/ })).toBeVisible()
}
