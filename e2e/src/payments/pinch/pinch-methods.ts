import type { Locator, Page } from 'playwright-core'
import { callApi } from '../../support/api.ts'
import { expect } from '../../support/expect.ts'
import { testEnvironment } from '../../support/test-environment.ts'

/** Cards of the sandbox's Pinch, and one that it refuses. */
export const PINCH_CARDS = { visa: '4242424242424242', mastercard: '5555555555554444', refused: '4539578763621486' } as const

/** Types a card into the fields of our own page. */
export const typeCard = async (page: Page | Locator, number: string = PINCH_CARDS.visa): Promise<void> => {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill('1231')
  await page.getByLabel('Security code').fill('123')
}

/** Makes the sandbox's Pinch misbehave at its next call. */
export const injectPinchFault = async (page: Page, fault: { operation: string; kind: string; booked?: boolean }): Promise<void> => {
  const answer = await page.request.post(`${testEnvironment().sandboxUrl}/faults`, { data: { provider: 'pinch', times: 1, ...fault } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

const PATHS = [
  ['/v1/ec/payments/payment-methods', '/detach'],
  ['/v1/ec/payments/cards', ''],
] as const

/** Deletes every stored card and bank account of the selected customer, the defaults last. */
export const deletePinchMethods = async (page: Page): Promise<void> => {
  for (const [path, end] of PATHS) {
    const methods = await callApi<{ id: string; isDefault: boolean }[]>(page, 'GET', path)
    const ordered = methods.toSorted((a, b) => Number(a.isDefault) - Number(b.isDefault))
    for (const { id } of ordered) await callApi(page, 'DELETE', `${path}/${id}${end}`)
  }
}

/** Stores a card on the screen of payment methods. */
export const storeCard = async (page: Page, number: string = PINCH_CARDS.visa): Promise<void> => {
  await page.goto('/payment-types')
  await addCard(page, number)
}

/** Adds a card on the screen of payment methods, which is open. */
export const addCard = async (page: Page, number: string = PINCH_CARDS.visa): Promise<void> => {
  await page.getByRole('button', { name: 'Add card' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name on card').fill('Ada Holder')
  await typeCard(dialog, number)
  await dialog.getByLabel('Email').fill('ada@payer.example')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('button', { name: new RegExp(`•••• ${number.slice(-4)}`) }).first()).toBeVisible()
}

/** Stores a bank account on the screen of payment methods. */
export const storeAccount = async (page: Page): Promise<void> => {
  await page.goto('/payment-types')
  await page.getByRole('button', { name: 'Add bank account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Account holder name').fill('Ada Holder')
  await dialog.getByLabel('Email').fill('ada@payer.example')
  await dialog.getByLabel('BSB').fill('000001')
  await dialog.getByLabel('Account number').fill('1234567890')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('button', { name: /BSB 000001 •••• 7890/ })).toBeVisible()
}
