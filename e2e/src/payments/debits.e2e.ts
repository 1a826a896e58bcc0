import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { enter } from '../support/browser.ts'
import { storeOnCompanyPage } from './stripe-elements.ts'
import { freshPayer } from './payer.ts'
import {
  choosePay,
  expectAfterReload,
  expectNewest,
  invoiceOf,
  openInvoices,
  payByAccount,
  payByCard,
  paymentsOf,
  rowOf,
  settle,
  storeAuAccount,
  storeIban,
} from './invoice-list.ts'
import { eventually, people } from '../support/people.ts'
import { world } from '../support/world.ts'

const { person } = people()

/** Every kind of debit: whose customers have it, how it is stored, its name on the screens. */
const DEBITS = [
  { type: 'au_becs_debit', reseller: 2204, symbol: '$', store: storeAuAccount, name: 'BSB 000000 •••• 3456' },
  {
    type: 'us_bank_account',
    reseller: 3001,
    symbol: '$',
    store: (page: Page) => storeThere(page, 'Routing number', '110000000', '000123456789'),
    name: '•••• 6789',
  },
  {
    type: 'bacs_debit',
    reseller: 3002,
    symbol: '£',
    store: (page: Page) => storeThere(page, 'Sort code', '108800', '00012345'),
    name: 'Sort code 108800 •••• 2345',
  },
  { type: 'sepa_debit', reseller: 3003, symbol: '€', store: storeIban, name: '•••• 3201' },
] as const

test.each(DEBITS)(
  '[PM-11][PM-12][PM-13][PM-14][BP-05][PAY-01] $type: paid in the browser, processing, settled by the bank; one fails, and one comes back after it had settled',
  async ({ type, reseller, symbol, store, name }) => {
    const { username, password, numbers } = await freshPayer(world().dataDir, 3, reseller)
    const [settling = '', returning = '', failing = ''] = numbers
    const page = await person()
    await enter(page, username, password, '/payment-types')
    await store(page)

    await openInvoices(page)
    await choosePay(page, [failing])
    await page.getByRole('radio', { name }).check()
    await page.clock.install()
    const [request] = await Promise.all([
      page.waitForRequest('**/v1/ec/payments/pay/bulk'),
      page.getByRole('button', { name: 'Pay', exact: true }).click(),
    ])
    expect(request.postDataJSON()).toMatchObject({ type })
    await page.getByText('We are confirming your payment. Please do not pay again.').waitFor()
    expect(await invoiceOf(page, failing)).toMatchObject({ canPay: false })
    // The screen that waits is told that the bank refuses it.
    await settle(page, failing, 'failed')
    await eventually(async () => (await invoiceOf(page, failing)).canPay).toBe(true)
    await page.clock.fastForward(5_000)
    await page.getByRole('heading', { name: 'Payment Failed' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()

    for (const number of [settling, returning]) await payByAccount(page, number, type)
    await openInvoices(page)
    for (const number of [settling, returning]) {
      await rowOf(page, number).getByText('In collection').waitFor()
      await expectNewest(page, number, [name, 'Processing', 'Please do not pay again'])
      expect(await payLinkOf(page, number).count()).toBe(0)
    }
    await expectNewest(page, failing, [name, 'Declined'])
    expect(await page.getByRole('button', { name: 'Download receipt' }).count()).toBe(0)

    // The bank settles both and takes one back; the company tells the server, nobody presses anything but reload.
    for (const number of [settling, returning]) await settle(page, number, 'succeeded')
    await eventually(async () => (await invoiceOf(page, returning)).paid).toBe(true)
    const taken = await settle(page, returning, 'returned')
    await expectAfterReload(page, { [settling]: 'Paid', [returning]: 'Open' })
    await expectNewest(page, settling, [name, 'Paid'])
    await paymentsOf(page, settling).getByRole('button', { name: 'Download receipt' }).waitFor()
    const back = `${symbol}${(taken / 100).toFixed(2)} taken back`
    await expectNewest(page, returning, [name, 'Returned', 'The payment was returned by the bank.', back])
    // What did not arrive can be paid again, by another way.
    for (const number of [returning, failing]) await payLinkOf(page, number).waitFor()
    await payByCard(page, returning, 'pm_card_visa')
    expect(await invoiceOf(page, returning)).toMatchObject({ paid: true })
  },
)

const payLinkOf = (page: Page, number: string): Locator => rowOf(page, number).getByRole('link', { name: `Pay ${number}` })

/** Stores an account on the company's own page. */
const storeThere = async (page: Page, bank: string, bankNumber: string, account: string): Promise<void> => {
  await page.getByRole('button', { name: 'Add Bank Account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/c\/pay\//)
  await storeOnCompanyPage(page, 'Ada Payer', bank, bankNumber, account)
  await page.waitForURL('**/payment-types**')
  await page.getByRole('button', { name: new RegExp(`•••• ${account.slice(-4)}`) }).waitFor()
}
