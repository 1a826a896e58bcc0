import type { Customer } from '@counterfoil/contract/customers'
import type { Locator, Page, Route } from 'playwright-core'
import { test } from 'vitest'
import { expect } from '../support/expect.ts'
import { answer3dSecure, TEST_CARDS, submitBankAccountPage, fillAuBankAccount, fillCard, fillIban } from './stripe-elements.ts'
import { findViolations } from '../support/accessibility.ts'
import { failRequests } from '../support/failing-requests.ts'
import { collectPageErrors } from '../support/page-errors.ts'
import { payButtonOf } from './invoice-list.ts'
import { deletePaymentMethods, storeCard } from './payable-invoices.ts'
import { usePages } from '../support/pages.ts'
import { callApi } from '../support/api.ts'

const { openPageAs, signInAs } = usePages()

const BANNER = 'Our server returned error, try again later'

test('[NAV-06][NAV-08][PM-01][PM-10] Payment Types stands in the Settings menu; spinners stand for lists on their way; the provider’s script is loaded, also after navigation from another screen and back', async () => {
  const page = await signInAs('demo')
  const errors = await collectPageErrors(page)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/v1/ec/payments/cards', (route) => released.then(() => route.continue()))
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Payment Types' }).click()
  await expect(page).toHaveURL('/payment-types')
  await expect(page.getByRole('heading', { name: 'Payment Types', level: 1 })).toBeVisible()
  await expect(page.getByText('Loading Cards')).toBeVisible()
  release()
  await expect(page.getByText('Loading Cards')).toHaveCount(0)
  await openAddCard(page)
  await expect(page.frameLocator('iframe[title="Secure card payment input frame"]').getByLabel('Credit or debit card number')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Invoices' }).click()
  await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()
  await expect(page.locator('script[src*="/stripe/"]')).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Payment Types' })).toBeVisible()
  expect(errors).toEqual([])
})

test('[INV-02][NAV-06][PAY-01][PM-01] where payments are off the screen goes on to the first section, and there are neither Payment Types nor boxes, payments or a Pay button', async () => {
  const page = await openPageAs('none', '/payment-types')
  await expect(page).toHaveURL('/invoices')
  await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()
  for (const locator of [page.getByRole('checkbox'), page.getByRole('button', { name: /^Payments of / }), payButtonOf(page)])
    await expect(locator).toHaveCount(0)
  await expectNoPaymentTypes(page)
})

test('[NAV-06] Payment Types is not offered where it is hidden from customer users', async () => {
  await expectNoPaymentTypes(await openPageAs('sso'))
})

test('[PM-03][PM-04][PM-08][PM-10] the first card that is added becomes the default; its row shows what is known and what is missing; edited, a past or impossible date cannot be saved, a valid one is', async () => {
  const page = await openPaymentMethodsAs('demo')
  const adding = await openAddCard(page)
  await fillCard(page, TEST_CARDS.good)
  // The country is required.
  await expect(adding.getByRole('button', { name: 'Add' })).toBeDisabled()
  await expect(adding.getByText('Still needed: country', { exact: true })).toBeVisible()
  await adding.getByLabel('Country').selectOption('AU')
  await expect(adding.getByText('Still needed')).toHaveCount(0)
  await adding.getByText('Full address (optional)').click()
  await adding.getByLabel('City').fill('Sydney')
  await adding.getByRole('button', { name: 'Add' }).click()
  const row = page.getByRole('button', { name: /^Visa •••• 4242/ })
  await expect(row).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => readCards(page)).toEqual(['Visa •••• 4242 Default'])

  await expect(row).toHaveAttribute('aria-expanded', 'false')
  await row.click()
  await expect(row).toHaveAttribute('aria-expanded', 'true')
  await expect
    .poll(() => readDetails(page))
    .toMatchObject({
      Name: 'No name provided',
      Expires: '12/2034',
      'Address 1': 'No Address 1 provided',
      City: 'Sydney',
      State: 'No state provided',
      Country: 'Australia',
    })

  await page.getByRole('button', { name: 'Edit Visa •••• 4242' }).click()
  const editing = page.getByRole('dialog')
  await expectDatesToBeChecked(editing)
  await editing.getByLabel('Name on card').fill('Mara Holt')
  await editing.getByLabel('Address', { exact: true }).fill('1 Quay Street')
  await editing.getByRole('button', { name: 'Save' }).dblclick()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => readDetails(page)).toMatchObject({ Name: 'Mara Holt', Expires: '07/2036', 'Address 1': '1 Quay Street' })
})

test('[GRID-03][PM-02][PM-06] rows and dialogs are worked by keyboard alone, and axe finds nothing in either scheme; a removal that fails raises the banner, and the card stays', async () => {
  const page = await openPaymentMethodsAs('demo', ['pm_card_visa'])
  const row = page.getByRole('button', { name: /^Visa/ })
  await row.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect.poll(() => readFocusedText(page)).toBe('Edit')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => readFocusedText(page)).toBe('Edit')
  await openAddCard(page)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await findViolations(page)).toEqual([])

  await failRequests(page, '**/v1/ec/payments/cards/*')
  await page.getByRole('button', { name: 'Remove Visa •••• 4242' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('alert').filter({ hasText: BANNER })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => readCards(page)).toEqual(['Visa •••• 4242 Default'])
})

test('[PM-03][PM-04][PM-07] another card becomes the default without a reload; when the default is removed the first one left takes its place', async () => {
  const page = await openPaymentMethodsAs('demo', ['pm_card_visa', 'pm_card_mastercard'])
  await expect.poll(() => readCards(page)).toEqual(['Visa •••• 4242 Default', 'Mastercard •••• 4444'])
  const mark = await markDocument(page)
  await page.getByRole('button', { name: /^Mastercard/ }).click()
  await page.getByRole('button', { name: 'Set Default: Mastercard •••• 4444' }).dblclick()
  await expect.poll(() => readCards(page)).toEqual(['Visa •••• 4242', 'Mastercard •••• 4444 Default'])
  await expect.poll(() => mark()).toBe(true)

  await page.getByRole('button', { name: 'Remove Mastercard •••• 4444' }).click()
  await expect(page.getByRole('dialog')).toContainText(/Mastercard •••• 4444 \(Expires \d+\/\d+\) will be removed/)
  await expect(page.getByRole('dialog')).toContainText(/Visa •••• 4242 \(Expires \d+\/\d+\) becomes the default\./)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Mastercard •••• 4444')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => readCards(page)).toHaveLength(2)
  await page.getByRole('button', { name: 'Remove Mastercard •••• 4444' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).dblclick()
  await expect.poll(() => readCards(page).catch(() => [])).toEqual(['Visa •••• 4242 Default'])
  // Deleting reloads the page (PM-07).
  await expect.poll(() => mark()).toBe(false)
})

test('[PM-06][PM-07][PM-08] the dialog: a script that failed to load can be loaded again; a card that the provider’s field rejects cannot be sent; one that is refused is told, keeps what was typed, and makes room for another', async () => {
  const page = await openPaymentMethodsAs('demo')
  const stopFailing = await failRequests(page, '**/stripe/*/stripe.js', (route) => route.abort())
  await page.getByRole('button', { name: 'Add card' }).click()
  const dialog = page.getByRole('dialog')
  const add = dialog.getByRole('button', { name: 'Add' })
  await expect(dialog.getByText('The form of our payment partner could not be loaded.')).toBeVisible()
  stopFailing()
  await dialog.getByRole('button', { name: /Try again/ }).click()
  await dialog.getByLabel('Country').selectOption('AU')
  await dialog.getByLabel('Name on card').fill('Alex Chen')

  await fillCard(page, '4242424242424241')
  await expect(dialog.getByText('Your card number is invalid.')).toBeVisible()
  await expect(add).toBeDisabled()
  await fillCard(page, TEST_CARDS.good, '01 / 20')
  await expect(dialog.getByText("Your card's expiration year is in the past.")).toBeVisible()
  await expect(add).toBeDisabled()

  for (const [number, words] of [
    [TEST_CARDS.declined, 'Your card was declined.'],
    [TEST_CARDS.insufficient, 'Your card has insufficient funds.'],
    [TEST_CARDS.expired, 'Your card has expired.'],
    [TEST_CARDS.wrongCode, "Your card's security code is incorrect."],
  ] as const) {
    await fillCard(page, number)
    // Typing another card removes the message.
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await add.click()
    await expect(dialog.getByRole('alert').filter({ hasText: words })).toBeVisible()
    await expect(dialog.getByLabel('Name on card')).toHaveValue('Alex Chen')
    await expect(dialog.getByLabel('Country')).toHaveValue('AU')
  }

  // A server error is shown as a declined card.
  const mend = await failRequests(page, '**/v1/ec/payments/cards', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, json: { message: 'broken' } }) : route.fallback(),
  )
  await fillCard(page, TEST_CARDS.good)
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await add.click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'Your card was declined' })).toBeVisible()
  mend()
  await fillCard(page, TEST_CARDS.good)
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await add.click()
  await expect(page.getByRole('button', { name: /^Visa •••• 4242/ })).toBeVisible()
  await expect.poll(() => readCards(page)).toEqual(['Visa •••• 4242 Default'])
})

test('[PM-05][PM-06][PM-13] where no permission is needed a note says so, and where the gateway is not set up the dialog does', async () => {
  const page = await openPaymentMethodsAs('uk', [], async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), scriptUrl: null } })
  })
  await expect(page.getByRole('heading', { name: 'BACS', level: 2 })).toBeVisible()
  await expect(page.getByText(/can charge invoices using the default payment method/)).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await page.getByRole('button', { name: 'Add card' }).click()
  await expect(
    page.getByRole('dialog').getByText("The payment gateway isn't configured properly. Please contact support if the issue persists."),
  ).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Add' })).toBeDisabled()
})

test('[PM-02][PM-08][PM-12] a reseller with a field each for number, expiry and code makes one card of them; an account under ACH is given on the provider’s own page, or one comes back without', async () => {
  const page = await openPaymentMethodsAs('us')
  const dialog = await openAddCard(page)
  for (const label of ['Card number', 'Expiry date', 'Security code']) await expect(dialog.getByText(label, { exact: true })).toBeVisible()
  await dialog.getByLabel('Country').selectOption('US')
  await fillCard(page, TEST_CARDS.good, '12 / 3')
  await expect(dialog.getByRole('button', { name: 'Add' })).toBeDisabled()
  await fillCard(page, TEST_CARDS.good)
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('button', { name: /^Visa •••• 4242/ })).toBeVisible()

  const leave = async (): Promise<void> => {
    await expect(page.getByRole('heading', { name: 'ACH', level: 2 })).toBeVisible()
    await page.getByRole('button', { name: 'Add bank account' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    // The provider's page has loaded: going back from one that still loads fails.
    await page.waitForURL(/\/c\/pay\//)
  }
  await leave()
  await page.goBack()
  await leave()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByText('No saved bank accounts')).toBeVisible()
  await leave()
  await submitBankAccountPage(page, 'Jordan Ames', 'Routing number', '110000000', '000123456789')
  await expect(page).toHaveURL(/\/payment-types/)
  await expect(page.getByRole('button', { name: /•••• 6789/ })).toBeVisible()
})

test('[PM-07][PM-10] a card that asks for 3-D Secure: a confirmation that fails stores nothing and says so, one left midway stores nothing either, and one that is completed is there on the way back', async () => {
  const page = await openPaymentMethodsAs('demo')
  await submitCard(page, TEST_CARDS.confirmsOnce)
  await answer3dSecure(page, 'Fail')
  await expect(page).toHaveURL(/\/payment-types/)
  await expect(page.getByText('The confirmation was not completed. Nothing was saved.')).toBeVisible()
  await expect(page.getByText('No saved cards')).toBeVisible()

  await submitCard(page, TEST_CARDS.confirmsOnce)
  await expect(page.getByRole('heading', { name: '3D Secure 2 Test Page' })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('No saved cards')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await submitCard(page, TEST_CARDS.confirmsOnce)
  await answer3dSecure(page, 'Complete')
  await expect(page).toHaveURL(/\/payment-types/)
  await expect.poll(() => readCards(page).catch(() => [])).toEqual(['Visa •••• 3155 Default'])
})

test('[PM-02][PM-05][PM-11][PM-15] an Australian account is stored with name, email and a ticked mandate, under Direct Debit; permission to charge it is given only after the question, and withdrawn at once', async () => {
  const page = await openPaymentMethodsAs('demo')
  await expect(page.getByRole('heading', { name: 'Direct Debit', level: 2 })).toBeVisible()
  const nothingSaved = page.getByText('Nothing is charged before a payment method is saved.', { exact: true })
  await expect(nothingSaved).toBeVisible()
  await page.getByRole('button', { name: 'Add bank account' }).click()
  const dialog = page.getByRole('dialog')
  const add = dialog.getByRole('button', { name: 'Add' })
  await dialog.getByLabel('Account holder name').fill('Max')
  await dialog.getByLabel('Email').fill('mara@example')
  const allMissing = 'account holder name, a valid email, BSB and account number, your agreement'
  await expect(dialog.getByText(`Still needed: ${allMissing}`, { exact: true })).toBeVisible()
  await expect(dialog.getByText('As on your bank account, 4 letters or more', { exact: true })).toBeVisible()
  await fillAuBankAccount(page, '000000', '000123456')
  await expect(add).toBeDisabled()
  await dialog.getByLabel('Account holder name').fill('Mara Holt')
  await expect(add).toBeDisabled()
  await dialog.getByLabel('Email').fill('mara@example.com')
  await expect(add).toBeDisabled()
  await dialog.getByRole('checkbox').check()
  await add.dblclick()
  await expect(page.getByRole('button', { name: /^BSB 000-?000 •••• 3456/ })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(nothingSaved).toHaveCount(0)
  await expectConsentToBeAsked(page)
})

test('[PM-02][PM-14][PM-15] a European account is stored by its IBAN and a ticked mandate, under SEPA', async () => {
  const page = await openPaymentMethodsAs('eu')
  await expect(page.getByRole('heading', { name: 'SEPA', level: 2 })).toBeVisible()
  await page.getByRole('button', { name: 'Add bank account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Account holder name').fill('Jonas Weber')
  await dialog.getByLabel('Email').fill('jonas@example.com')
  await dialog.getByRole('checkbox').check()
  await fillIban(page, 'AT611904300234573202')
  await dialog.getByLabel('Email').focus()
  await expect(dialog.getByRole('button', { name: 'Add' })).toBeDisabled()
  await fillIban(page, 'AT611904300234573201')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('button', { name: /•••• 3201/ })).toBeVisible()
})

const expectNoPaymentTypes = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('menuitem', { name: 'Log Out' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Payment Types' })).toHaveCount(0)
}

/** Expects that bad dates cannot be saved, and leaves 07/2036 in the dialog. */
const expectDatesToBeChecked = async (dialog: Locator): Promise<void> => {
  const [month, year] = [dialog.getByLabel('Expiry month'), dialog.getByLabel('Expiry year')]
  await expect(month).toHaveValue('12')
  await expect(year).toHaveValue('2034')
  for (const [m, y] of [
    ['13', '2034'],
    ['0', '2034'],
    ['12', '2071'],
    ['12', '2024'],
    ['', '2034'],
  ] as const) {
    await month.fill(m)
    await year.fill(y)
    await expect(dialog.getByText('Please provide valid date', { exact: true })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  }
  await month.fill('123')
  await expect.poll(async () => (await month.inputValue()).length).toBeLessThanOrEqual(2)
  await month.fill('7')
  await year.fill('2036')
}

const expectConsentToBeAsked = async (page: Page): Promise<void> => {
  const box = page.getByRole('checkbox', { name: /^Allow / })
  await box.setChecked(false)
  await expect.poll(() => fetchConsent(page)).toBe(false)
  await box.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(box).not.toBeChecked()
  expect(await fetchConsent(page)).toBe(false)
  await box.click()
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(box).toBeChecked()
  await expect.poll(() => fetchConsent(page)).toBe(true)
  await page.reload()
  await expect(box).toBeChecked()
  await box.click()
  await expect(box).not.toBeChecked()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => fetchConsent(page)).toBe(false)
}

const readFocusedText = (page: Page): Promise<string | null | undefined> => page.evaluate(() => document.activeElement?.textContent)

/** The screen of payment methods, with none stored but these cards. @param details answers the request for the payment details */
const openPaymentMethodsAs = async (
  username: string,
  cards: readonly string[] = [],
  details = (route: Route): Promise<void> => route.fallback(),
): Promise<Page> => {
  const page = await signInAs(username)
  const { customers } = await callApi<{ customers: Customer[] }>(page, 'GET', '/v1/ec/me')
  const customer = customers.find(({ selected }) => selected)?.customerId
  await page.evaluate((id) => localStorage.setItem('current_customer_id', String(id)), customer)
  await deletePaymentMethods(page)
  for (const card of cards) await storeCard(page, card)
  await page.route('**/v1/ec/payments/details', details)
  await page.goto('/payment-types')
  await expect(cards.length === 0 ? page.getByText('No saved cards') : page.getByRole('button', { name: /••••/ }).first()).toBeVisible()
  return page
}

const fetchConsent = async (page: Page): Promise<boolean> =>
  (await callApi<{ allowResellerCharge: boolean }>(page, 'GET', '/v1/ec/allow-reseller-charge')).allowResellerCharge

const openAddCard = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Add card' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add card' })
  await expect(dialog.getByLabel('Country')).toBeVisible()
  return dialog
}

const submitCard = async (page: Page, number: string): Promise<void> => {
  const dialog = await openAddCard(page)
  await dialog.getByLabel('Country').selectOption('AU')
  await fillCard(page, number)
  await dialog.getByRole('button', { name: 'Add' }).click()
}

/** The titles of the cards, with Default after the default one. */
const readCards = async (page: Page): Promise<string[]> => {
  const list = page.getByRole('region', { name: 'Cards' })
  return list.evaluate((region) =>
    [...region.querySelectorAll('h3')].map((row) => {
      const title = row.textContent?.replace(/Expires.*/, '').trim() ?? ''
      return row.parentElement?.textContent?.endsWith('Default') ? `${title} Default` : title
    }),
  )
}

/** The details of the open row by their labels. */
const readDetails = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('dl > div')]
        .filter((pair) => pair.checkVisibility())
        .map((pair) => [pair.querySelector('dt')?.textContent ?? '', pair.querySelector('dd')?.textContent ?? '']),
    ),
  )

/** Marks the document, and returns a function that tells whether it is still the same one. */
const markDocument = async (page: Page): Promise<() => Promise<boolean>> => {
  await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }))
  return () => page.evaluate(() => 'isSameDocument' in globalThis)
}
