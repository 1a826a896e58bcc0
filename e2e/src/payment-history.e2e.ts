import type { Invoice } from '@counterfoil/contract/invoices'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE, signIn } from './browser.ts'
import { answerBank, CARDS, ledger, typeAuAccount, typeCard } from './company-fields.ts'
import { isWholePdf, savedBy } from './downloads.ts'
import { type FreshPayer, freshPayer } from './fresh-payer.ts'
import { called } from './payable.ts'
import { eventually, people } from './people.ts'
import { world } from './world.ts'

const { person } = people()

const BANNER = 'Our server returned error, try again later'

test('[PAY-01] an invoice opens to its payments, newest first: a declined card, and the one that paid after it, with its receipt', async () => {
  const { page, numbers } = await signedInPayer(2)
  const [number = '', other = ''] = numbers
  await payByCard(page, number, 'pm_card_chargeDeclined')
  await payByCard(page, number, 'pm_card_visa')
  await openInvoices(page)
  const opener = openerOf(page, number)
  expect(await opener.getAttribute('aria-expanded')).toBe('false')
  await opener.click()
  expect(await opener.getAttribute('aria-expanded')).toBe('true')
  const entries = paymentsOf(page, number).getByRole('listitem')
  await eventually(() => entries.count()).toBe(2)
  const [paid, declined] = await entries.allInnerTexts()
  for (const words of ['$110.00', 'Visa •••• 4242', 'Paid']) expect(paid).toContain(words)
  for (const words of ['$110.00', 'Visa •••• 0002', 'Declined', 'Your card was declined.']) expect(declined).toContain(words)
  expect(await paymentsOf(page, number).getByRole('button').count()).toBe(1)
  const { name, content } = await savedBy(page, () => paymentsOf(page, number).getByRole('button', { name: 'Download receipt' }).click())
  expect(name).toMatch(/^R-\d{8}-[\dA-F]{8}\.pdf$/)
  expect(isWholePdf(content)).toBe(true)

  // The keyboard opens another one beside it, and closes it.
  await openerOf(page, other).focus()
  await page.keyboard.press('Enter')
  await paymentsOf(page, other).getByText('There are no payments yet').waitFor()
  expect(await paymentsOf(page, number).count()).toBe(1)
  await page.keyboard.press('Space')
  await eventually(() => paymentsOf(page, other).count()).toBe(0)
  expect(await openerOf(page, other).evaluate((button) => button === document.activeElement)).toBe(true)
})

test('[PAY-01] nothing is asked of payments until an invoice is opened, and then of that one alone', async () => {
  const { page, numbers } = await signedInPayer(3)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/payments') && request.url().includes('/invoices/')) asked.push(request.url())
  })
  await openInvoices(page)
  expect(asked).toEqual([])
  await openerOf(page, numbers[1] ?? '').click()
  await paymentsOf(page, numbers[1] ?? '')
    .getByText('There are no payments yet')
    .waitFor()
  expect(asked).toHaveLength(1)
})

test('[PAY-01] payments that cannot be loaded say so in their place, and can be asked for again', async () => {
  const { page, numbers } = await signedInPayer(1)
  const [number = ''] = numbers
  await page.route('**/v1/ec/invoices/*/payments**', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  await openInvoices(page)
  await openerOf(page, number).click()
  await paymentsOf(page, number).getByText(`Payments of ${number} could not be loaded.`).waitFor()
  expect(await page.getByText(BANNER).count()).toBe(0)
  await page.unroute('**/v1/ec/invoices/*/payments**')
  await page.getByRole('button', { name: `Try again: Payments of ${number}` }).click()
  await paymentsOf(page, number).getByText('There are no payments yet').waitFor()
})

test('[PAY-01] a receipt that cannot be fetched is told beside its button, without a banner', async () => {
  const { page, numbers } = await signedInPayer(1)
  const [number = ''] = numbers
  await payByCard(page, number, 'pm_card_visa')
  await openInvoices(page)
  await openerOf(page, number).click()
  await page.route('**/v1/ec/payments/receipts/*', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  await paymentsOf(page, number).getByRole('button', { name: 'Download receipt' }).click()
  await paymentsOf(page, number).getByText('The file could not be fetched. Try again.').waitFor()
  expect(await page.getByText(BANNER).count()).toBe(0)
})

test('[PAY-01] more tries than fit on a page are turned page by page', async () => {
  const { page, numbers } = await signedInPayer(1)
  const [number = ''] = numbers
  for (let tries = 0; tries < 11; tries++) await payByCard(page, number, 'pm_card_chargeDeclined')
  await openInvoices(page)
  await openerOf(page, number).click()
  const payments = paymentsOf(page, number)
  await eventually(() => payments.getByRole('listitem').count()).toBe(10)
  await payments.getByRole('button', { name: 'Next page' }).click()
  await eventually(() => payments.getByRole('listitem').count()).toBe(1)
})

test('[PAY-01] where payments are off no invoice opens', async () => {
  const page = await person()
  await signIn(page, 'none')
  await openInvoices(page)
  expect(await page.getByRole('button', { name: /^Payments of / }).count()).toBe(0)
})

test('[PAY-01][PR-01] whoever has paid, at once or by way of the bank, can take the receipt along', async () => {
  const { page, numbers } = await signedInPayer(1)
  await openInvoices(page)
  await choosePay(page, numbers)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Cardholder').fill('Ada Payer')
  await typeCard(page, CARDS.confirmsAlways)
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await answerBank(page, 'Complete')
  await page.waitForURL('**/payment-result?**')
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  const { content } = await savedBy(page, () => page.getByRole('button', { name: 'Receipt' }).click())
  expect(isWholePdf(content)).toBe(true)
})

test('[PM-11][BP-04][PAY-01] a debit: paid in the browser, processing, settled by the bank, paid on the screens; a second one comes back', async () => {
  const { page, numbers } = await signedInPayer(2)
  const [settling = '', returning = ''] = numbers
  await storeAccount(page)
  for (const number of [settling, returning]) {
    await openInvoices(page)
    await choosePay(page, [number])
    await page.getByRole('radio', { name: /•••• 3456/ }).check()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByText('We are confirming your payment. Please do not pay again.').waitFor()
  }
  await openInvoices(page)
  for (const number of [settling, returning]) {
    await rowOf(page, number).getByText('In collection').waitFor()
    await expectNewest(page, number, ['BSB 000000 •••• 3456', 'Processing', 'Please do not pay again'])
  }
  expect(await page.getByRole('button', { name: 'Download receipt' }).count()).toBe(0)

  // The bank settles both; the company tells the server, nobody presses anything but reload.
  for (const number of [settling, returning]) await settle(page, number, 'succeeded')
  for (const number of [settling, returning]) {
    await expectAfterReload(page, number, 'Paid')
    await expectNewest(page, number, ['BSB 000000 •••• 3456', 'Paid'])
    await paymentsOf(page, number).getByRole('button', { name: 'Download receipt' }).waitFor()
  }

  await settle(page, returning, 'returned')
  await expectAfterReload(page, returning, 'Open')
  await expectNewest(page, returning, ['Returned', 'The payment was returned by the bank.', '$110.00 taken back'])
  await rowOf(page, settling).getByText('Paid', { exact: true }).waitFor()
  // It can be paid again, by another way.
  await rowOf(page, returning)
    .getByRole('link', { name: `Pay ${returning}` })
    .waitFor()
  await payByCard(page, returning, 'pm_card_visa')
  await expectAfterReload(page, returning, 'Paid')
  await openerOf(page, returning).click()
  await eventually(() => paymentsOf(page, returning).getByRole('listitem').count()).toBe(2)
})

test('[GRID-03][PAY-01] axe-core finds nothing where payments are paid, declined, in collection and returned; nothing scrolls sideways', async () => {
  const { page, numbers } = await signedInPayer(4)
  const [paid = '', declined = '', collected = '', returned = ''] = numbers
  await storeAccount(page)
  await payByCard(page, paid, 'pm_card_visa')
  await payByCard(page, declined, 'pm_card_chargeDeclined')
  for (const number of [collected, returned]) await payByAccount(page, number)
  await settle(page, returned, 'succeeded')
  await openInvoices(page)
  await expectAfterReload(page, returned, 'Paid')
  await settle(page, returned, 'returned')
  await expectAfterReload(page, returned, 'Open')
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport)
    await openInvoices(page)
    for (const number of numbers) {
      await openerOf(page, number).click()
      await paymentsOf(page, number).getByRole('listitem').waitFor()
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => [viewport.width, colorScheme, id, nodes.map(({ html }) => html.slice(0, 120))])).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
      const folder = process.env['SCREENS']
      if (folder !== undefined) await page.screenshot({ path: `${folder}/history-${viewport.width}-${colorScheme}.png`, fullPage: true })
    }
  }
})

const signedInPayer = async (count: number): Promise<FreshPayer & { page: Page }> => {
  const payer = await freshPayer(world().dataDir, count)
  const page = await person()
  await signIn(page, payer.username, payer.password)
  return { ...payer, page }
}

const openInvoices = async (page: Page): Promise<void> => {
  await page.goto('/invoices')
  await page.getByRole('table', { name: 'Invoices' }).waitFor()
}

const openerOf = (page: Page, number: string): Locator => page.getByRole('button', { name: `Payments of ${number}`, exact: true })

const paymentsOf = (page: Page, number: string): Locator => page.getByRole('region', { name: `Payments of ${number}`, exact: true })

const rowOf = (page: Page, number: string): Locator => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: number }) })

const idOf = async (page: Page, number: string): Promise<number> => {
  const found = (await called<Invoice[]>(page, 'GET', '/v1/ec/invoices')).find((invoice) => invoice.number === number)
  if (found === undefined) throw new Error(`there is no invoice ${number}`)
  return found.id
}

/** Tries to pay by link with a card of the company's test tokens; whatever comes of it. */
const payByCard = async (page: Page, number: string, cardToken: string): Promise<void> => {
  const invoice = (await called<Invoice[]>(page, 'GET', '/v1/ec/invoices')).find((one) => one.number === number)
  const data = { uid: invoice?.payToken, invoiceNumber: number, invoiceAmount: '110.00', cardToken, cardHolder: 'Ada Payer' }
  const answer = await page.request.post('/v1/ec/pay', { data })
  expect([200, 400]).toContain(answer.status())
}

const payByAccount = async (page: Page, number: string): Promise<void> => {
  const [account] = await called<{ id: string }[]>(page, 'GET', '/v1/ec/payments/payment-methods')
  const { id: uid } = await called<{ id: string }>(page, 'POST', '/v1/ec/payments/intents', {
    body: { invoiceIds: [await idOf(page, number)] },
  })
  await called(page, 'POST', '/v1/ec/payments/pay/bulk', { body: { uid, cardId: account?.id, type: 'au_becs_debit' } })
}

const storeAccount = async (page: Page): Promise<void> => {
  await page.goto('/payment-types')
  await page.getByRole('button', { name: 'Add Bank Account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Account holder name').fill('Ada Payer')
  await dialog.getByLabel('Email').fill('ada@example.com')
  await typeAuAccount(page, '000000', '000123456')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('button', { name: /•••• 3456/ }).waitFor()
}

const choosePay = async (page: Page, numbers: readonly string[]): Promise<void> => {
  for (const number of numbers) await rowOf(page, number).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL('**/bulk-pay')
  await page.getByText('Loading your payment methods').waitFor({ state: 'detached' })
}

/** Tells the company's sandbox what the bank does with the newest payment of an invoice. */
const settle = async (page: Page, number: string, outcome: 'succeeded' | 'returned'): Promise<void> => {
  const { payments } = await called<{ payments: { id: string }[] }>(page, 'GET', `/v1/ec/invoices/${await idOf(page, number)}/payments`)
  const charge = (await ledger(page, world().sandboxUrl)).find(({ reference }) => reference === payments[0]?.id)
  const answer = await page.request.post(`${world().sandboxUrl}/settle`, { data: { provider: 'stripe', id: charge?.id, outcome } })
  expect(answer.status()).toBe(200)
}

/** What people do who wait: they load the page anew until it says what they wait for. */
const expectAfterReload = (page: Page, number: string, state: string): Promise<void> =>
  eventually(async () => {
    await openInvoices(page)
    return rowOf(page, number).getByText(state, { exact: true }).count()
  }).toBe(1)

const expectNewest = async (page: Page, number: string, said: readonly string[]): Promise<void> => {
  if ((await openerOf(page, number).getAttribute('aria-expanded')) !== 'true') await openerOf(page, number).click()
  const newest = paymentsOf(page, number).getByRole('listitem').first()
  for (const words of said) await newest.getByText(words).first().waitFor()
}
