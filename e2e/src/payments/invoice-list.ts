import type { Invoice } from '@counterfoil/contract/invoices'
import { INVOICE_STATUS } from '@counterfoil/contract/kit/payments/invoice-status'
import type { Locator, Page } from 'playwright-core'
import { expect } from '../support/expect.ts'
import { fillAuBankAccount, fillIban } from './stripe-elements.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { readLedger } from './sandbox-ledger.ts'
import { callApi } from '../support/api.ts'

/** Loads the list of invoices again. */
export const openInvoiceList = async (page: Page): Promise<void> => {
  await page.goto('/invoices')
  await expect(page.getByRole('table')).toBeVisible()
}

/** The button that opens and closes an invoice's payments. */
export const paymentsButtonOf = (page: Page, number: string): Locator =>
  page.getByRole('button', { name: `Payments of ${number}`, exact: true })

/** Opens an invoice's payments; on a phone their button stands behind the press of the card. */
export const openPaymentsOf = async (page: Page, number: string): Promise<void> => {
  const details = page.getByRole('button', { name: `Details of ${number}`, exact: true })
  if ((await details.count()) > 0) await details.click()
  await paymentsButtonOf(page, number).click()
}

/** An invoice's payments, present while they are open. */
export const paymentsOf = (page: Page, number: string): Locator => page.getByRole('region', { name: `Payments of ${number}`, exact: true })

export const rowOf = (page: Page, number: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: number }) })

/** The invoice with this number, as the API returns it now. */
export const fetchInvoice = async (page: Page, number: string): Promise<Invoice> => {
  const invoice = (await callApi<Invoice[]>(page, 'GET', '/v1/ec/invoices')).find((invoice) => invoice.number === number)
  if (invoice === undefined) throw new Error(`there is no invoice ${number}`)
  return invoice
}

/** Tries to pay by link with one of Stripe's test card tokens. The payment may fail. */
export const payByCard = async (page: Page, number: string, cardToken: string): Promise<void> => {
  const { payToken: uid } = await fetchInvoice(page, number)
  const billingAddress = { address: '1 Main Street', city: 'Portland', state: 'ME', zip: '04101', country: 'US' }
  const data = { uid, invoiceNumber: number, invoiceAmount: '110.00', cardToken, cardHolder: 'Ada Payer', billingAddress }
  const answer = await page.request.post('/v1/ec/pay', { data })
  expect([200, 400]).toContain(answer.status())
}

/** Pays with the stored bank account, by the API. */
export const payByAccount = async (page: Page, number: string, type: string): Promise<void> => {
  const [account] = await callApi<{ id: string }[]>(page, 'GET', '/v1/ec/payments/payment-methods')
  const { id } = await fetchInvoice(page, number)
  const { id: uid } = await callApi<{ id: string }>(page, 'POST', '/v1/ec/payments/intents', { body: { invoiceIds: [id] } })
  await callApi(page, 'POST', '/v1/ec/payments/pay/bulk', { body: { uid, cardId: account?.id, type } })
}

/** Stores an Australian bank account, without the screen. */
export const addAuAccount = async (page: Page): Promise<void> => {
  const { publishableKey } = await callApi<{ publishableKey: string }>(page, 'GET', '/v1/ec/payments/details')
  const account = { 'au_becs_debit[bsb_number]': '000000', 'au_becs_debit[account_number]': '000123456' }
  const owner = { 'billing_details[name]': 'Ada Payer', 'billing_details[email]': 'ada@example.com' }
  const answer = await page.request.post(`${testEnvironment().sandboxUrl}/stripe/v1/payment_methods`, {
    headers: { authorization: `Bearer ${publishableKey}` },
    form: { key: publishableKey, type: 'au_becs_debit', ...account, ...owner },
  })
  const { id } = (await answer.json()) as { id: string }
  const body = { paymentMethodId: id, paymentMethodType: 'au_becs_debit' }
  await callApi(page, 'POST', '/v1/ec/payments/setup-intent', { body })
}

/** Stores an Australian bank account, on the screen. */
export const storeAuAccount = (page: Page): Promise<void> =>
  storeAccount(page, () => fillAuBankAccount(page, '000000', '000123456'), '3456')

/** Stores a European bank account, on the screen. */
export const storeIban = (page: Page): Promise<void> => storeAccount(page, () => fillIban(page, 'AT611904300234573201'), '3201')

const storeAccount = async (page: Page, fillNumbers: () => Promise<void>, lastDigits: string): Promise<void> => {
  if (new URL(page.url()).pathname !== '/payment-types') await page.goto('/payment-types')
  await page.getByRole('button', { name: 'Add bank account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Account holder name').fill('Ada Payer')
  await dialog.getByLabel('Email').fill('ada@example.com')
  await fillNumbers()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('button', { name: new RegExp(`•••• ${lastDigits}`) })).toBeVisible()
}

/** The button of the bar under the list; its text says how many invoices it pays, and how much. */
export const payButtonOf = (page: Page): Locator =>
  page.getByRole('region', { name: 'Payment', exact: true }).getByRole('button', { name: /^Pay/ })

/** Selects invoices in the list and opens the payment screen. */
export const selectAndPay = async (page: Page, numbers: readonly string[]): Promise<void> => {
  for (const number of numbers) await rowOf(page, number).getByRole('checkbox').check()
  await payButtonOf(page).click()
  await expect(page).toHaveURL('/bulk-pay')
  await expect(page.getByRole('region', { name: 'Payment summary' })).toBeVisible()
  await expect(page.getByText('Loading your payment methods')).toHaveCount(0)
}

/** Tells the sandbox what the bank does with the newest payment of an invoice, and returns its amount in cents. */
export const settlePayment = async (page: Page, number: string, outcome: 'succeeded' | 'failed' | 'returned'): Promise<number> => {
  const { id } = await fetchInvoice(page, number)
  const { payments } = await callApi<{ payments: { id: string }[] }>(page, 'GET', `/v1/ec/invoices/${id}/payments`)
  const charge = (await readLedger(page, testEnvironment().sandboxUrl)).find(({ reference }) => reference === payments[0]?.id)
  const answer = await page.request.post(`${testEnvironment().sandboxUrl}/settle`, {
    data: { provider: 'stripe', id: charge?.id, outcome },
  })
  expect(answer.status()).toBe(200)
  return charge?.amount ?? Number.NaN
}

const STATUS = { Open: INVOICE_STATUS.open, Paid: INVOICE_STATUS.paid } as const

/** Waits until the server knows these states, and expects them in the list after a reload. */
export const expectStatesAfterReload = async (page: Page, states: Readonly<Record<string, keyof typeof STATUS>>): Promise<void> => {
  const wanted = Object.entries(states).map(([number, state]) => ({ number, state }))
  await expect
    .poll(async () => {
      const invoices = await callApi<Invoice[]>(page, 'GET', '/v1/ec/invoices')
      return wanted.map(({ number }) => invoices.find((one) => one.number === number)?.invoiceStatus)
    })
    .toEqual(wanted.map(({ state }) => STATUS[state]))
  await openInvoiceList(page)
  for (const { number, state } of wanted) await expect(rowOf(page, number).getByText(state, { exact: true })).toBeVisible()
}

/** Expects these texts in the newest payment of an invoice. */
export const expectNewestPayment = async (page: Page, number: string, texts: readonly (string | RegExp)[]): Promise<void> => {
  if ((await paymentsButtonOf(page, number).getAttribute('aria-expanded')) !== 'true') await paymentsButtonOf(page, number).click()
  const newest = paymentsOf(page, number).getByRole('listitem').first()
  for (const text of texts) await expect(newest.getByText(text).first()).toBeVisible()
}
