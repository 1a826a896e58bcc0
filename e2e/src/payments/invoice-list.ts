import type { Invoice } from '@counterfoil/contract/invoices'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { ledger, typeAuAccount, typeIban } from './stripe-elements.ts'
import { called } from './payable-invoices.ts'
import { eventually, pathOf } from '../support/people.ts'
import { world } from '../support/world.ts'

/** Loads the list of invoices anew. */
export const openInvoices = async (page: Page): Promise<void> => {
  await page.goto('/invoices')
  await page.getByRole('table').waitFor()
}

/** What opens and closes an invoice's payments. */
export const openerOf = (page: Page, number: string): Locator => page.getByRole('button', { name: `Payments of ${number}`, exact: true })

/** An invoice's payments, while they are open. */
export const paymentsOf = (page: Page, number: string): Locator => page.getByRole('region', { name: `Payments of ${number}`, exact: true })

export const rowOf = (page: Page, number: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: number }) })

/** The invoice of that number as the server has it now. */
export const invoiceOf = async (page: Page, number: string): Promise<Invoice> => {
  const found = (await called<Invoice[]>(page, 'GET', '/v1/ec/invoices')).find((invoice) => invoice.number === number)
  if (found === undefined) throw new Error(`there is no invoice ${number}`)
  return found
}

/** Tries to pay by link with a card of the company's test tokens; whatever comes of it. */
export const payByCard = async (page: Page, number: string, cardToken: string): Promise<void> => {
  const { payToken: uid } = await invoiceOf(page, number)
  const billingAddress = { address: '1 Main Street', city: 'Portland', state: 'ME', zip: '04101', country: 'US' }
  const data = { uid, invoiceNumber: number, invoiceAmount: '110.00', cardToken, cardHolder: 'Ada Payer', billingAddress }
  const answer = await page.request.post('/v1/ec/pay', { data })
  expect([200, 400]).toContain(answer.status())
}

/** Pays with the bank account that is stored, without a screen. */
export const payByAccount = async (page: Page, number: string, type: string): Promise<void> => {
  const [account] = await called<{ id: string }[]>(page, 'GET', '/v1/ec/payments/payment-methods')
  const { id } = await invoiceOf(page, number)
  const { id: uid } = await called<{ id: string }>(page, 'POST', '/v1/ec/payments/intents', { body: { invoiceIds: [id] } })
  await called(page, 'POST', '/v1/ec/payments/pay/bulk', { body: { uid, cardId: account?.id, type } })
}

/** Stores an Australian account, on the screen. */
export const storeAuAccount = (page: Page): Promise<void> => storeAccount(page, () => typeAuAccount(page, '000000', '000123456'), '3456')

/** Stores a European account, on the screen. */
export const storeIban = (page: Page): Promise<void> => storeAccount(page, () => typeIban(page, 'AT611904300234573201'), '3201')

const storeAccount = async (page: Page, typeNumbers: () => Promise<void>, lastDigits: string): Promise<void> => {
  if (pathOf(page) !== '/payment-types') await page.goto('/payment-types')
  await page.getByRole('button', { name: 'Add Bank Account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Account holder name').fill('Ada Payer')
  await dialog.getByLabel('Email').fill('ada@example.com')
  await typeNumbers()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('button', { name: new RegExp(`•••• ${lastDigits}`) }).waitFor()
}

/** Chooses invoices in the list and goes on to pay them. */
export const choosePay = async (page: Page, numbers: readonly string[]): Promise<void> => {
  for (const number of numbers) await rowOf(page, number).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL('**/bulk-pay')
  await page.getByRole('region', { name: 'Payment summary' }).waitFor()
  await page.getByText('Loading your payment methods').waitFor({ state: 'detached' })
}

/** Tells the company's sandbox what the bank does with the newest payment of an invoice, and gives the amount of it in cents. */
export const settle = async (page: Page, number: string, outcome: 'succeeded' | 'failed' | 'returned'): Promise<number> => {
  const { id } = await invoiceOf(page, number)
  const { payments } = await called<{ payments: { id: string }[] }>(page, 'GET', `/v1/ec/invoices/${id}/payments`)
  const charge = (await ledger(page, world().sandboxUrl)).find(({ reference }) => reference === payments[0]?.id)
  const answer = await page.request.post(`${world().sandboxUrl}/settle`, { data: { provider: 'stripe', id: charge?.id, outcome } })
  expect(answer.status()).toBe(200)
  return charge?.amount ?? Number.NaN
}

const STATUS = { Open: INVOICE_STATUS.open, Paid: INVOICE_STATUS.paid } as const

/** Waits until the server has heard how these invoices stand, loads the list once more, and finds them so. */
export const expectAfterReload = async (page: Page, states: Readonly<Record<string, keyof typeof STATUS>>): Promise<void> => {
  const wanted = Object.entries(states).map(([number, state]) => ({ number, state }))
  await eventually(async () => {
    const invoices = await called<Invoice[]>(page, 'GET', '/v1/ec/invoices')
    return wanted.map(({ number }) => invoices.find((one) => one.number === number)?.invoiceStatus)
  }).toEqual(wanted.map(({ state }) => STATUS[state]))
  await openInvoices(page)
  for (const { number, state } of wanted) await rowOf(page, number).getByText(state, { exact: true }).waitFor()
}

/** The newest payment of an invoice says all of this. */
export const expectNewest = async (page: Page, number: string, said: readonly string[]): Promise<void> => {
  if ((await openerOf(page, number).getAttribute('aria-expanded')) !== 'true') await openerOf(page, number).click()
  const newest = paymentsOf(page, number).getByRole('listitem').first()
  for (const words of said) await newest.getByText(words).first().waitFor()
}
