import type { Invoice } from '@counterfoil/contract/invoices'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { storedSession } from '../support/people.ts'

/** What the server answers the signed-in person of a page who acts for this customer, or for the one that the page acts for. */
export const called = async <T>(
  page: Page,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  more: { customer?: number; body?: object } = {},
): Promise<T> => {
  const { auth, customer } = await storedSession(page)
  const { access_token: token } = JSON.parse(auth ?? '{}')
  const answer = await page.request.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'x-customer-id': String(more.customer ?? customer ?? '') },
    ...(more.body === undefined ? {} : { data: more.body }),
  })
  expect([200, 204], `${method} ${path}`).toContain(answer.status())
  const text = await answer.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/**
 * Makes a page act for a customer of its person who still has so many invoices to pay, and gives them. The tests pay them one after the
 * other; each asks for as few as it needs. The customer whom everybody sees first is left for last: other tests show what it owes.
 */
export const withPayable = async (page: Page, count = 1): Promise<Invoice[]> => {
  const { customers } = await called<{ customers: { customerId: number }[] }>(page, 'GET', '/v1/ec/me')
  for (const { customerId } of customers.toReversed()) {
    const invoices = await called<Invoice[]>(page, 'GET', '/v1/ec/invoices', { customer: customerId })
    const payable = invoices.filter(({ canPay }) => canPay)
    if (payable.length < count) continue
    await page.evaluate((id) => localStorage.setItem('current_customer_id', id), String(customerId))
    return payable.slice(0, count)
  }
  throw new Error(`no customer of this person has ${count} invoices left to pay`)
}

/** Removes every stored card and bank account of the customer that a page acts for. */
export const forgetMethods = async (page: Page): Promise<void> => {
  for (const { id } of await called<{ id: string }[]>(page, 'GET', '/v1/ec/payments/cards'))
    await called(page, 'DELETE', `/v1/ec/payments/cards/${id}`)
  for (const { id } of await called<{ id: string }[]>(page, 'GET', '/v1/ec/payments/payment-methods'))
    await called(page, 'DELETE', `/v1/ec/payments/payment-methods/${id}/detach`)
}

/** Stores a card by one of the tokens that Stripe's test accounts always know. */
export const storeCard = (page: Page, token: string): Promise<void> => called(page, 'POST', '/v1/ec/payments/cards', { body: { token } })
