import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { enter } from '../support/browser.ts'
import { answerBank, type Booking, CARDS, ledger, newBookings, typeCard } from './stripe-elements.ts'
import { type FreshPayer, freshPayer } from './payer.ts'
import { choosePay, invoiceOf, openerOf, openInvoices, payByCard, paymentsOf, rowOf } from './invoice-list.ts'
import { called } from './payable-invoices.ts'
import { eventually, people } from '../support/people.ts'
import { world } from '../support/world.ts'

const { person } = people()

const PROCESSING = 'We are confirming your payment. Please do not pay again.'
const ALREADY_PAID = 'The invoice has already been paid. No further payments required.'

/** With invoices enough that a test may take others when it is tried again. */
let payer: FreshPayer
let left: string[] = []
beforeAll(async () => {
  payer = await freshPayer(world().dataDir, 16)
  left = [...payer.numbers]
})

test('[SP-04][PAY-01] the page of one invoice: after the payment Back, forward again and a page kept as it was left offer no second one, nor does the bank’s', async () => {
  const { page, numbers } = await payerWith(2)
  const [atOnce = '', confirmed = ''] = numbers
  const presses = pressesOn(page)
  const before = await ledger(page, world().sandboxUrl)
  await payLinkOf(page, atOnce).click()
  await payOnPage(page, CARDS.good)
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  await page.goBack()
  await expectPaidInList(page, atOnce)
  await page.goForward()
  await expectNothingToPay(page)
  await broughtBack(page)
  await expectNothingToPay(page)
  expect(await booked(page, before, 1)).toHaveLength(1)

  await page.goto(`/pay/${(await invoiceOf(page, confirmed)).payToken}`)
  await payOnPage(page, CARDS.confirmsAlways)
  await answerBank(page, 'Complete')
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: '3D Secure 2 Test Page' }).waitFor()
  await page.goForward()
  await expectNothingToPay(page)
  expect([presses.length, (await booked(page, before, 2)).length]).toEqual([2, 2])
})

test('[SP-04][BP-04][PAY-01] after a declined card Back, forward and a reload that loses the next no lead to screens that say so, and pay with another card at the first press', async () => {
  const { page, numbers } = await payerWith(2)
  const [single = '', several = ''] = numbers
  const before = await ledger(page, world().sandboxUrl)
  await payLinkOf(page, single).click()
  await payOnPage(page, CARDS.declined)
  await page.getByRole('alert').filter({ hasText: 'Your card was declined.' }).waitFor()
  await page.goBack()
  await payLinkOf(page, single).waitFor()
  await page.goForward()
  await fillPage(page, CARDS.insufficient)
  await reloadDuring(page, '**/v1/ec/pay')
  await page.getByRole('alert').filter({ hasText: 'Payment Failed' }).getByText('Your card has insufficient funds.').waitFor()
  await payOnPage(page, CARDS.good)
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()

  await openInvoices(page)
  await choosePay(page, [several])
  await payOnBulk(page, CARDS.declined)
  await page.getByRole('alert').filter({ hasText: 'Your card was declined.' }).waitFor()
  await page.goBack()
  await rowOf(page, several).getByText('Open', { exact: true }).waitFor()
  expect(await rowOf(page, several).getByRole('checkbox').isChecked()).toBe(false)
  await page.goForward()
  await tryAgain(page, 'Your card was declined.')
  await fillBulk(page, CARDS.insufficient)
  await reloadDuring(page, '**/v1/ec/payments/pay/bulk')
  await tryAgain(page, 'Your card has insufficient funds.')
  await payOnBulk(page, CARDS.good)
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  expect(await booked(page, before, 2)).toHaveLength(2)
})

test('[SP-04][BP-04][PAY-01] a reload while the answer is on its way: being confirmed, then paid or refused, and paid once', async () => {
  const { page: bulk, numbers } = await payerWith(3)
  const [single = '', refused = '', several = ''] = numbers
  const before = await ledger(bulk, world().sandboxUrl)
  await choosePay(bulk, [several])
  await fillBulk(bulk, CARDS.good)
  const links: Page[] = []
  for (const [number, card] of [
    [single, CARDS.good],
    [refused, CARDS.insufficient],
  ] as const) {
    const link = await bulk.context().newPage()
    await link.goto(`/pay/${(await invoiceOf(bulk, number)).payToken}`)
    await fillPage(link, card)
    links.push(link)
  }
  const tabs = [bulk, ...links]
  // The company takes its time, and all that it would tell of the three by itself is lost.
  await order(bulk, { operation: 'charge', kind: 'slow', times: 3, ms: 5_000 })
  await order(bulk, { operation: 'webhook', kind: 'lost', times: 6 })
  for (const tab of tabs) await tab.getByRole('button', { name: /^Pay/ }).click()
  for (const number of numbers) await eventually(() => outcomesOf(bulk, number)).toEqual(['checking'])
  await Promise.all(tabs.map((tab) => tab.reload()))
  for (const tab of tabs) {
    await tab.getByText(PROCESSING).waitFor()
    expect(await tab.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
  }
  await bulk.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  await links[0]?.getByText('has already been paid').waitFor()
  await links[1]?.getByRole('alert').filter({ hasText: 'Payment Failed' }).getByText('Your card has insufficient funds.').waitFor()
  expect(await booked(bulk, before, 2)).toHaveLength(2)
})

test('[SP-02][BP-04][PAY-01] a reload that loses "confirm at your bank": another card typed then pays by itself, once, and the first one is given up', async () => {
  const { page, numbers } = await payerWith(2)
  const [single = '', several = ''] = numbers
  const before = await ledger(page, world().sandboxUrl)
  await payLinkOf(page, single).click()
  await fillPage(page, CARDS.confirmsAlways)
  await reloadDuring(page, '**/v1/ec/pay')
  await payOnPage(page, CARDS.good)
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()

  await openInvoices(page)
  await choosePay(page, [several])
  await fillBulk(page, CARDS.confirmsAlways)
  await reloadDuring(page, '**/v1/ec/payments/pay/bulk')
  await payOnBulk(page, CARDS.good)
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  expect(await booked(page, before, 2)).toHaveLength(2)
  for (const number of numbers) expect(await outcomesOf(page, number)).toEqual(['paid', 'failed'])
})

test('[PAY-01] two tabs: what is paid in one of them shows in the list of the other, with its payment where that was open; a kept page asks anew', async () => {
  const { page, numbers } = await payerWith(2)
  const [number = '', second = ''] = numbers
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/receipts/')) asked.push(request.url())
  })
  // A double click opens and closes.
  await openerOf(page, number).dblclick()
  expect(await openerOf(page, number).getAttribute('aria-expanded')).toBe('false')
  expect(await paymentsOf(page, number).count()).toBe(0)
  await openerOf(page, number).click()
  await paymentsOf(page, number).getByText('There are no payments yet').waitFor()

  const other = await page.context().newPage()
  await other.goto(`/pay/${(await invoiceOf(page, number)).payToken}`)
  await payOnPage(other, CARDS.good)
  await other.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  await rowOf(page, number).getByText('Paid', { exact: true }).first().waitFor()
  await paymentsOf(page, number).getByRole('listitem').getByText('Visa •••• 4242').waitFor()
  const download = page.waitForEvent('download')
  await paymentsOf(page, number).getByRole('button', { name: 'Download receipt' }).dblclick()
  await download
  expect(asked).toHaveLength(1)

  // Paid without a word to this browser, and then brought back as it was left.
  await payByCard(page, second, 'pm_card_visa')
  await rowOf(page, second).getByText('Open', { exact: true }).waitFor()
  await broughtBack(page)
  await expectPaidInList(page, second)

  // Away and back: the list is whole and closed, and opens again.
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await page.goBack()
  await expectPaidInList(page, number)
  expect(await paymentsOf(page, number).count()).toBe(0)
  await openerOf(page, number).click()
  await paymentsOf(page, number).getByRole('listitem').waitFor()
})

const payerWith = async (count: number): Promise<{ page: Page; numbers: string[] }> => {
  const page = await person()
  await enter(page, payer.username, payer.password, '/invoices')
  return { page, numbers: left.splice(0, count) }
}

const payLinkOf = (page: Page, number: string): Locator => rowOf(page, number).getByRole('link', { name: `Pay ${number}` })

const fillPage = async (page: Page, card: string): Promise<void> => {
  await page.getByLabel('Name on card').fill('Ada Payer')
  await typeCard(page, card)
}

const payOnPage = async (page: Page, card: string): Promise<void> => {
  await fillPage(page, card)
  await page.getByRole('button', { name: /^Pay / }).click()
}

const fillBulk = async (page: Page, card: string): Promise<void> => {
  await page.getByRole('button', { name: /^(Continue|New Payment Method)$/ }).click()
  await page.getByLabel('Cardholder').fill('Ada Payer')
  await typeCard(page, card)
}

const payOnBulk = async (page: Page, card: string): Promise<void> => {
  await fillBulk(page, card)
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
}

/** Presses Pay, and loads the page anew when the server has answered and the page has not heard it. */
const reloadDuring = async (page: Page, call: string): Promise<void> => {
  const answered = new Promise<void>((resolve) => {
    void page.route(call, async (route) => {
      await route.fetch()
      resolve()
    })
  })
  await page.getByRole('button', { name: /^Pay/ }).click()
  await answered
  await page.reload()
  await page.unroute(call)
}

/** What a browser does that brings a page back as it was left. */
const broughtBack = (page: Page): Promise<void> =>
  page.evaluate(() => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))

/** The screen says why the payment failed, and is asked for its form again. */
const tryAgain = async (page: Page, why: string): Promise<void> => {
  await page.getByRole('heading', { name: 'Payment Failed' }).waitFor()
  await page.getByText(why, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
}

const expectPaidInList = async (page: Page, number: string): Promise<void> => {
  await page.waitForURL('**/invoices')
  await rowOf(page, number).getByText('Paid', { exact: true }).waitFor()
  expect(await payLinkOf(page, number).count()).toBe(0)
}

const expectNothingToPay = async (page: Page): Promise<void> => {
  await page.getByText(ALREADY_PAID).waitFor()
  expect([await page.getByRole('button').count(), await page.locator('iframe').count()]).toEqual([0, 0])
}

const pressesOn = (page: Page): string[] => {
  const presses: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/ec/pay')) presses.push(request.url())
  })
  return presses
}

const outcomesOf = async (page: Page, number: string): Promise<string[]> => {
  const { id } = await invoiceOf(page, number)
  const { payments } = await called<{ payments: { outcome: string }[] }>(page, 'GET', `/v1/ec/invoices/${id}/payments`)
  return payments.map(({ outcome }) => outcome)
}

/** Orders the company's sandbox to misbehave. */
const order = async (page: Page, fault: { operation: string; kind: string; times: number; ms?: number }): Promise<void> => {
  const answer = await page.request.post(`${world().sandboxUrl}/faults`, { data: { provider: 'stripe', ...fault } })
  expect(answer.status()).toBe(200)
}

const booked = (page: Page, before: readonly Booking[], count: number): Promise<Booking[]> =>
  newBookings(page, world().sandboxUrl, before, count)
