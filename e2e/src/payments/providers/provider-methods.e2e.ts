import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { enter } from '../../support/browser.ts'
import { expect } from '../../support/expect.ts'
import { collectPageErrors } from '../../support/page-errors.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { selectAndPay } from '../invoice-list.ts'
import { payButton } from '../pay-button.ts'
import { expectEmptyDialog } from '../required-fields.ts'
import { declineNextCharge } from '../sandbox-faults.ts'
import { readLedger, waitForLedgerEntries } from '../sandbox-ledger.ts'
import { DRIVERS } from './drivers.ts'
import { expectAllNeeded, expectRefused, fill, typeByKeyboard } from './forms.ts'
import type { MethodCase, ProviderDriver } from './provider-driver.ts'
import { createProviderPayer } from './provider-payer.ts'
import { collectSent, withoutRefusals } from './sent-requests.ts'
import { expectTitles, openRow, removeMethod } from './stored-methods.ts'

const { openPage } = usePages()

const NO_METHOD_TEXT =
  'You cannot pay invoices because no default payment method is configured. To configure a payment method, go to Settings → Payment Methods'

test.each(DRIVERS)(
  '[PM-02][PM-03][PM-04][PM-06][PM-07][PM-08][PM-09][PM-15][PM-20][PM-21][PM-40][PM-50][PM-60][PM-80][PM-81][PM-100][PM-101][NAV-06][BP-01][BP-02][BP-03][BP-04][BP-05][PAY-01][GRID-03] type $type, $name: without a stored method a payer is sent to add one: cards and accounts are typed, refused with the reason, stored once and made the default; they pay several invoices, once, and are removed',
  async (driver) => {
    const { account } = driver
    const payer = await createProviderPayer(driver, 3, ['50.00'])
    const [debit = '', ...numbers] = payer.numbers
    const page = await openPage()
    const errors = await collectPageErrors(page)
    await enter(page, payer.username, payer.password, '/invoices')
    await selectAndPay(page, numbers)
    if (driver.frame === undefined) {
      await expect(page.getByText(NO_METHOD_TEXT)).toBeVisible()
      await expect(page.getByLabel('Card number')).toHaveCount(0)
      await page.getByRole('link', { name: 'Go to Payment Types' }).click()
    } else await openPaymentTypes(page)
    await addCards(page, driver)
    if (account !== undefined) {
      await addMethod(page, driver, 'account')
      await expectTitles(page, account.list, [...(account.list === 'Cards' ? [`${driver.card.another.title} Default`] : []), account.title])
      await expectFacts(page, account)
    }

    if (driver.frame === undefined) await page.getByRole('link', { name: 'Back to your payment' }).click()
    else await openPayment(page, numbers)
    await payByCard(page, driver)
    if (account !== undefined) {
      await openPayment(page, [debit])
      await payByAccount(page, driver.type, account)
      await openPaymentTypes(page)
      await openRow(page, account.title)
      await removeMethod(page, account.title)
      await expectTitles(page, account.list, account.list === 'Cards' ? [`${driver.card.another.title} Default`] : [])
    }
    expect(withoutRefusals(errors)).toEqual([])
  },
)

const openPaymentTypes = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Payment Types' }).click()
}

/** Chooses invoices in the list, without loading the portal again. */
const openPayment = async (page: Page, numbers: readonly string[]): Promise<void> => {
  await page.getByRole('link', { name: 'Invoices', exact: true }).first().click()
  await selectAndPay(page, numbers)
}

/** Adds two cards, makes the second one the default and removes the first one. */
const addCards = async (page: Page, driver: ProviderDriver): Promise<void> => {
  const { card } = driver
  await expect(page.getByText('No saved cards')).toBeVisible()
  await addMethod(page, driver, 'card')
  await expectTitles(page, 'Cards', [`${card.title} Default`])
  await expectFacts(page, card)
  await expect(page.getByRole('button', { name: /^Edit/ })).toHaveCount(driver.editsCards ? 1 : 0)

  const form = await driver.openForm(page, 'card')
  await fill(form, card.another.typed)
  await form.getByLabel(Object.keys(card.another.typed)[0] ?? '').press('Enter')
  await expectTitles(page, 'Cards', [`${card.title} Default`, card.another.title])
  await openRow(page, card.another.title)
  const loaded = driver.reloadsOnDefault ? page.waitForEvent('load') : undefined
  await page.getByRole('button', { name: `Set Default: ${card.another.title}` }).dblclick()
  await loaded
  await expectTitles(page, 'Cards', [card.title, `${card.another.title} Default`])
  if (driver.keepsDefault) await expectDefaultKept(page, card.another.title)
  await openRow(page, card.title)
  await removeMethod(page, card.title)
  await expectTitles(page, 'Cards', [`${card.another.title} Default`])
}

/** Adds a card or an account: each field is needed, what is refused says why and stays, and a double click stores it once. */
const addMethod = async (page: Page, driver: ProviderDriver, kind: 'card' | 'account'): Promise<void> => {
  const method = driver[kind]
  if (method === undefined) return
  const sent = collectSent(page)
  const form = await driver.openForm(page, kind)
  const save = form.getByRole('button', { name: /^(Add|Save)$/ })
  if (driver.frame === undefined) await expectEmptyDialog(page)
  else expect(await findViolations(page)).toEqual([])
  await typeByKeyboard(page, form, method.typed)
  if (driver.frame === undefined) await expectAllNeeded(form, method.typed, save)
  await expectRefused(form, method, save)
  await fill(form, method.optional ?? {})
  await save.dblclick()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  if (method.sent !== undefined) await expect.poll(() => sent.at(-1)).toEqual(method.sent)
  if (driver.takesCardNumbers === undefined) expect(JSON.stringify(sent)).not.toMatch(/\d{14}/)
}

const expectFacts = async (page: Page, { title, facts }: MethodCase): Promise<void> => {
  await openRow(page, title)
  for (const fact of facts) await expect(page.getByRole('definition').filter({ hasText: fact, visible: true }).first()).toBeVisible()
}

/** The default cannot be removed while there are others, and says so. */
const expectDefaultKept = async (page: Page, title: string): Promise<void> => {
  const remove = page.getByRole('button', { name: `Remove ${title}` })
  await expect(remove).toBeDisabled()
  const reason = page.getByText('The default cannot be removed while there are others. Make another one the default first.')
  expect(await remove.getAttribute('aria-describedby')).toBe(await reason.getAttribute('id'))
  expect(await findViolations(page)).toEqual([])
}

/** Pays what was chosen with the stored card, which is declined and then pays once. */
const payByCard = async (page: Page, { name, type, currency, declined, frame, card, account, ...more }: ProviderDriver): Promise<void> => {
  await expect(page.getByRole('radio')).toHaveCount(account === undefined ? 1 : 2)
  await expect(page.getByRole('button', { name: 'New Payment Method' })).toHaveCount(frame === undefined ? 0 : 1)
  await more.expectChoice?.(page)
  const sent = collectSent(page, '/pay/bulk')
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await page.getByRole('radio', { name: card.another.title }).check()
  await declineNextCharge(name)
  await payButton(page).click()
  await expect(page.getByText(declined)).toBeVisible()
  await payButton(page).dblclick()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  const paid = expect.objectContaining({ type: 'card', paymentType: type, sessionId: expect.any(String), cardId: expect.any(String) })
  expect(sent).toEqual([paid, paid])
  expect(sent[1]?.['cardToken']).toBe(more.paysByCardToken ? sent[1]?.['cardId'] : undefined)
  expect(await waitForLedgerEntries(page, testEnvironment().sandboxUrl, before)).toMatchObject([{ amount: 22_000, currency }])
}

/** Pays what was chosen with the stored account, once; the bank has still to say yes. */
const payByAccount = async (page: Page, paymentType: number, account: NonNullable<ProviderDriver['account']>): Promise<void> => {
  const sent = collectSent(page, '/pay/bulk')
  const before = await readLedger(page, testEnvironment().sandboxUrl)
  await page.getByRole('radio', { name: account.title }).check()
  await payButton(page).dblclick()
  await expect(page.getByText('We are confirming your payment. Please do not pay again.')).toBeVisible()
  expect(sent).toEqual([expect.objectContaining({ type: account.type, paymentType })])
  expect(await waitForLedgerEntries(page, testEnvironment().sandboxUrl, before)).toMatchObject([{ amount: 5_000, status: 'pending' }])
}
