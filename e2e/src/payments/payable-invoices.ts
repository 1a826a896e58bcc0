import type { Invoice } from '@counterfoil/contract/invoices'
import type { Page } from 'playwright-core'
import { type Api, callApi } from '../support/api.ts'

/**
 * Selects a customer of the page's user who has still this many invoices to pay, and returns them. The tests pay them one after the
 * other, so each asks for as few as it needs. The first customer is taken last, because other tests show its balance.
 */
export const selectPayableInvoices = async (page: Page, count = 1): Promise<Invoice[]> => {
  const { customers } = await callApi<{ customers: { customerId: number }[] }>(page, 'GET', '/v1/ec/me')
  for (const { customerId } of customers.toReversed()) {
    const invoices = await callApi<Invoice[]>(page, 'GET', '/v1/ec/invoices', { customer: customerId })
    const payable = invoices.filter(({ canPay }) => canPay)
    if (payable.length < count) continue
    await page.evaluate((id) => localStorage.setItem('current_customer_id', id), String(customerId))
    return payable.slice(0, count)
  }
  throw new Error(`no customer of this person has ${count} invoices left to pay`)
}

/** An invoice that this user has still to pay, of the last customer that has one. */
export const findPayableInvoice = async (api: Api): Promise<Invoice> => {
  const { customers } = await api<{ customers: { customerId: number }[] }>('GET', '/v1/ec/me')
  for (const { customerId } of customers.toReversed()) {
    const invoices = await api<Invoice[]>('GET', '/v1/ec/invoices', undefined, customerId)
    const payable = invoices.find(({ canPay }) => canPay)
    if (payable !== undefined) return payable
  }
  throw new Error('this person has no invoice left to pay')
}

/** Deletes every stored card and bank account of the selected customer. */
export const deletePaymentMethods = async (page: Page): Promise<void> => {
  for (const { id } of await callApi<{ id: string }[]>(page, 'GET', '/v1/ec/payments/cards'))
    await callApi(page, 'DELETE', `/v1/ec/payments/cards/${id}`)
  for (const { id } of await callApi<{ id: string }[]>(page, 'GET', '/v1/ec/payments/payment-methods'))
    await callApi(page, 'DELETE', `/v1/ec/payments/payment-methods/${id}/detach`)
}

/** Stores a card by one of Stripe's test tokens. */
export const storeCard = (page: Page, token: string): Promise<void> => callApi(page, 'POST', '/v1/ec/payments/cards', { body: { token } })
