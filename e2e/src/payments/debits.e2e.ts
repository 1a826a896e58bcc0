import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { expect } from '../support/expect.ts'
import { submitBankAccountPage } from './stripe-elements.ts'
import { createPayer } from './payer.ts'
import {
  addAuAccount,
  selectAndPay,
  expectStatesAfterReload,
  expectNewestPayment,
  fetchInvoice,
  openInvoiceList,
  payByAccount,
  payByCard,
  paymentsOf,
  rowOf,
  settlePayment,
  storeAuAccount,
  storeIban,
} from './invoice-list.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { payButton } from './pay-button.ts'

const { signInAs } = usePages()

const PROCESSING_TEXT = 'We are confirming your payment. Please do not pay again.'
const AU_ACCOUNT = 'BSB 000000 •••• 3456'

/** Every kind of debit: which reseller has it, how it is stored, its name on the screens. */
const DEBITS = [
  { type: 'au_becs_debit', reseller: 2204, store: storeAuAccount, name: AU_ACCOUNT },
  {
    type: 'us_bank_account',
    reseller: 3001,
    store: (page: Page) => storeOnProviderPage(page, 'Routing number', '110000000', '000123456789'),
    name: '•••• 6789',
  },
  {
    type: 'bacs_debit',
    reseller: 3002,
    store: (page: Page) => storeOnProviderPage(page, 'Sort code', '108800', '00012345'),
    name: 'Sort code 108800 •••• 2345',
  },
  { type: 'sepa_debit', reseller: 3003, store: storeIban, name: '•••• 3201' },
] as const

test.each(DEBITS)(
  '[PM-11][PM-12][PM-13][PM-14][BP-05][PAY-01] $type: stored and paid in the browser, it is being confirmed; the list says that a debit is on its way, and offers no second one',
  async ({ type, reseller, store, name }) => {
    const { username, password, numbers } = await createPayer(testEnvironment().dataDir, 1, reseller)
    const [number = ''] = numbers
    const page = await signInAs(username, {}, password)
    await page.goto('/payment-types')
    await store(page)

    await openInvoices(page)
    await selectAndPay(page, [number])
    await page.getByRole('radio', { name }).check()
    const [request] = await Promise.all([page.waitForRequest('**/v1/ec/payments/pay/bulk'), payButton(page).click()])
    expect(request.postDataJSON()).toMatchObject({ type })
    await expect(page.getByText(PROCESSING_TEXT)).toBeVisible()
    expect(await fetchInvoice(page, number)).toMatchObject({ canPay: false })
    await openInvoices(page)
    await expect(rowOf(page, number).getByText('Debit on its way')).toBeVisible()
    await expectNewestPayment(page, number, [name, 'Processing', 'Please do not pay again'])
    await expect(payLinkOf(page, number)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Download receipt' })).toHaveCount(0)
  },
)

test('[PM-11][BP-05][PAY-01] the bank refuses a debit, settles one, and returns one after it had settled: the waiting screen and the list say so, and what is not paid can be paid again', async () => {
  const { username, password, numbers } = await createPayer(testEnvironment().dataDir, 3)
  const [settling = '', returning = '', failing = ''] = numbers
  const page = await signInAs(username, {}, password)
  await addAuAccount(page)
  await page.clock.install()
  await openInvoiceList(page)
  await selectAndPay(page, [failing])
  await page.getByRole('radio', { name: AU_ACCOUNT }).check()
  await payButton(page).click()
  await expect(page.getByText(PROCESSING_TEXT)).toBeVisible()
  // The waiting screen learns that the bank has refused the debit.
  await settlePayment(page, failing, 'failed')
  await expect.poll(async () => (await fetchInvoice(page, failing)).canPay).toBe(true)
  await page.clock.fastForward(5_000)
  await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()

  // The bank settles both and returns one. The server learns it by webhook; the page is only reloaded.
  for (const number of [settling, returning]) {
    await payByAccount(page, number, 'au_becs_debit')
    await settlePayment(page, number, 'succeeded')
  }
  await expect.poll(async () => (await fetchInvoice(page, returning)).paid).toBe(true)
  const returnedAmount = await settlePayment(page, returning, 'returned')
  await expectStatesAfterReload(page, { [settling]: 'Paid', [returning]: 'Open' })
  await expectNewestPayment(page, failing, [AU_ACCOUNT, 'Declined'])
  await expectNewestPayment(page, settling, [AU_ACCOUNT, 'Paid'])
  await expect(paymentsOf(page, settling).getByRole('button', { name: 'Download receipt' })).toBeVisible()
  const returnedText = `$${(returnedAmount / 100).toFixed(2)} returned`
  await expectNewestPayment(page, returning, [AU_ACCOUNT, /^Returned$/, 'The payment was returned by the bank.', returnedText])
  // A returned or failed payment can be paid again, by another method.
  for (const number of [returning, failing]) await expect(payLinkOf(page, number)).toBeVisible()
  await payByCard(page, returning, 'pm_card_visa')
  expect(await fetchInvoice(page, returning)).toMatchObject({ paid: true })
})

/** Opens the list of invoices, which one reseller calls Rechnungen, by its link. */
const openInvoices = async (page: Page): Promise<void> => {
  const sections = page.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('link', { name: /^(Invoices|Rechnungen)$/ }).click()
  await expect(page.getByRole('table')).toBeVisible()
}

const payLinkOf = (page: Page, number: string): Locator => rowOf(page, number).getByRole('link', { name: `Pay ${number}` })

/** Stores a bank account on the provider's own page. */
const storeOnProviderPage = async (page: Page, bank: string, bankNumber: string, account: string): Promise<void> => {
  await page.getByRole('button', { name: 'Add bank account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/c\/pay\//)
  await submitBankAccountPage(page, 'Ada Payer', bank, bankNumber, account)
  await expect(page).toHaveURL(/\/payment-types/)
  await expect(page.getByRole('button', { name: new RegExp(`•••• ${account.slice(-4)}`) })).toBeVisible()
}
