import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { expect } from '../../support/expect.ts'
import { failRequests } from '../../support/failing-requests.ts'
import { collectPageErrors } from '../../support/page-errors.ts'
import { usePages } from '../../support/pages.ts'
import {
  AUTHORIZE_CARDS,
  DECLINING_ZIP,
  injectAuthorizeFault,
  openAuthorizeMethods,
  readTitles,
  ROUTING_NUMBER,
  setPaymentOption,
  storeAuthorizeAccount,
  storeAuthorizeCard,
  typeAccount,
  typeCard,
} from './authorize-methods.ts'

const { openPageAs, signInAs } = usePages()

const openMethods = async (): Promise<Page> => {
  const page = await signInAs('authorize')
  await openAuthorizeMethods(page)
  return page
}

const openAdd = async (page: Page, name: 'Add card' | 'Add bank account'): Promise<Locator> => {
  await page.getByRole('button', { name }).click()
  return page.getByRole('dialog', { name })
}

const addButton = (dialog: Locator): Locator => dialog.getByRole('button', { name: 'Add' })

/** The bodies with which methods of a kind are stored or changed. */
const collectBodies = (page: Page, kind: 'cards' | 'ach'): Record<string, unknown>[] => {
  const bodies: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (['POST', 'PUT'].includes(request.method()) && request.url().endsWith(`/v1/ec/autorize/${kind}`)) bodies.push(request.postDataJSON())
  })
  return bodies
}

test('[NAV-06] authorize: Payment Types stands in the Settings menu and opens its screen, with cards and ACH', async () => {
  const page = await openPageAs('authorize')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Payment Types' }).click()
  for (const name of ['Cards', 'ACH']) await expect(page.getByRole('region', { name })).toBeVisible()
})

test('[PM-02][PM-03][PM-04][PM-07][PM-09][PM-20] authorize: cards are typed and stored, made the default and removed', async () => {
  const page = await openMethods()
  const errors = await collectPageErrors(page)
  const bodies = collectBodies(page, 'cards')
  const dialog = await openAdd(page, 'Add card')
  await expect(addButton(dialog)).toBeDisabled()
  await typeCard(dialog)
  const lines = {
    Company: 'Nimbus Ltd',
    Address: '1 Quay Street',
    City: 'Fort Wayne',
    'State or province': 'IN',
    'Postcode or ZIP': '46201',
  }
  for (const [label, line] of Object.entries(lines)) await dialog.getByLabel(label, { exact: true }).fill(line)
  await dialog.getByLabel('Country').selectOption('US')
  await addButton(dialog).dblclick()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => readTitles(page, 'Cards')).toEqual(['Visa •••• 1111 Default'])
  expect(bodies).toEqual([
    {
      cardNumber: AUTHORIZE_CARDS.visa,
      expirationDate: '2031-12',
      company: 'Nimbus Ltd',
      address: '1 Quay Street',
      city: 'Fort Wayne',
      state: 'IN',
      zip: '46201',
      country: 'US',
      addressCountry: 'US',
    },
  ])
  await page.getByRole('button', { name: /^Visa •••• 1111/ }).click()
  for (const fact of ['Nimbus Ltd', '1 Quay Street', 'Fort Wayne'])
    await expect(page.getByRole('definition').filter({ hasText: fact })).toBeVisible()
  // These cards have no PUT in the specification.
  await expect(page.getByRole('button', { name: /^Edit/ })).toHaveCount(0)

  const another = await openAdd(page, 'Add card')
  await typeCard(another, { number: AUTHORIZE_CARDS.amex })
  await addButton(another).click()
  await expect.poll(() => readTitles(page, 'Cards')).toEqual(['Visa •••• 1111 Default', 'American Express •••• 0002'])
  await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }))
  await page.getByRole('button', { name: /^American Express/ }).click()
  await expect(page.getByText('No company provided')).toBeVisible()
  await page.getByRole('button', { name: 'Set Default: American Express •••• 0002' }).dblclick()
  await expect.poll(() => readTitles(page, 'Cards')).toEqual(['Visa •••• 1111', 'American Express •••• 0002 Default'])
  expect(await page.evaluate(() => 'isSameDocument' in globalThis)).toBe(true)
  await page.getByRole('button', { name: 'Remove American Express •••• 0002' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).dblclick()
  await expect.poll(() => readTitles(page, 'Cards').catch(() => [])).toEqual(['Visa •••• 1111 Default'])
  // Deleting reloads the page (PM-07).
  await expect.poll(() => page.evaluate(() => 'isSameDocument' in globalThis).catch(() => true)).toBe(false)
  await page.goto('/invoices')
  await page.goBack()
  await expect.poll(() => readTitles(page, 'Cards').catch(() => [])).toEqual(['Visa •••• 1111 Default'])
  expect(errors).toEqual([])
})

test('[PM-06][PM-08][PM-20] authorize: a card that is declined is told in the dialog, which keeps what was typed, until it is changed', async () => {
  const page = await openMethods()
  const dialog = await openAdd(page, 'Add card')
  for (const card of [{ number: '4111 1111 1111' }, { expiry: '12 / 3' }, { expiry: '1020' }]) {
    await typeCard(dialog, card)
    await expect(addButton(dialog)).toBeDisabled()
  }
  await typeCard(dialog)
  await dialog.getByLabel('Postcode or ZIP').fill(DECLINING_ZIP)
  await addButton(dialog).click()
  const alert = dialog.getByRole('alert').filter({ hasText: 'This transaction has been declined.' })
  await expect(alert).toBeVisible()
  await expect(dialog.getByLabel('Card number')).toHaveValue('4111 1111 1111 1111')
  await dialog.getByLabel('Postcode or ZIP').fill('46201')
  await expect(alert).toHaveCount(0)
  await injectAuthorizeFault(page, { operation: 'store', kind: 'drop' })
  await addButton(dialog).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'We could not reach the payment provider.' })).toBeVisible()
  await addButton(dialog).click()
  await expect.poll(() => readTitles(page, 'Cards')).toEqual(['Visa •••• 1111 Default'])
})

test('[PM-02][PM-03][PM-04][PM-21] authorize: a bank account is stored when everything is filled in, edited, made the default and removed', async () => {
  const page = await openMethods()
  await storeAuthorizeCard(page)
  await page.reload()
  const bodies = collectBodies(page, 'ach')
  const dialog = await openAdd(page, 'Add bank account')
  for (const account of [{ routing: '1210' }, { number: '1234' }, { name: '' }, { bank: '' }, { type: '' }]) {
    await typeAccount(dialog, account)
    await expect(addButton(dialog)).toBeDisabled()
  }
  await typeAccount(dialog, { name: 'A name of more than twenty-two' })
  await expect(dialog.getByLabel('Account name')).toHaveAttribute('maxlength', '22')
  await typeAccount(dialog, { routing: '121042881' })
  await addButton(dialog).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'This is not a routing number. Please check it.' })).toBeVisible()
  await typeAccount(dialog)
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  const errors = await collectPageErrors(page)
  await addButton(dialog).dblclick()
  await expect.poll(() => readTitles(page, 'ACH')).toEqual(['First Bank •••• 6789'])
  const typed = { accountNumber: '123456789', nameOnAccount: 'Ada Payer', bankName: 'First Bank', accountType: 'checking' }
  expect(bodies.splice(0)).toEqual([
    { routingNumber: '121042881', ...typed },
    { routingNumber: ROUTING_NUMBER, ...typed },
  ])

  await page.getByRole('button', { name: /^First Bank/ }).click()
  await page.getByRole('button', { name: 'Edit First Bank •••• 6789' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit bank account' })
  await expect(edit.getByLabel('Account number')).toHaveValue('XXXX6789')
  await expect(edit.getByLabel('Account number')).toBeDisabled()
  await edit.getByLabel('Account name').fill('Ada King')
  await edit.getByLabel('Account type').selectOption('savings')
  await edit.getByRole('button', { name: 'Save' }).dblclick()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  for (const fact of ['Ada King', 'Savings', 'XXXX6789']) await expect(page.getByRole('definition').filter({ hasText: fact })).toBeVisible()
  expect(bodies).toMatchObject([
    { routingNumber: 'XXXX2882', accountNumber: 'XXXX6789', nameOnAccount: 'Ada King', accountType: 'savings' },
  ])

  await page.getByRole('button', { name: 'Set Default: First Bank •••• 6789' }).click()
  await expect.poll(() => readTitles(page, 'ACH').catch(() => [])).toEqual(['First Bank •••• 6789 Default'])
  await page.getByRole('button', { name: /^First Bank/ }).click()
  await page.getByRole('button', { name: 'Remove First Bank •••• 6789' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No saved bank accounts')).toBeVisible()
  await expect.poll(() => readTitles(page, 'Cards').catch(() => [])).toEqual(['Visa •••• 1111 Default'])
  expect(errors).toEqual([])
})

test('[PM-06][PM-21] authorize: an account that cannot be removed stays, under the banner', async () => {
  const page = await openMethods()
  await storeAuthorizeAccount(page)
  await page.reload()
  await injectAuthorizeFault(page, { operation: 'remove', kind: 'error' })
  await page.getByRole('button', { name: /^First Bank/ }).click()
  await page.getByRole('button', { name: 'Remove First Bank •••• 6789' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Our server returned error, try again later' })).toBeVisible()
  await expect.poll(() => readTitles(page, 'ACH')).toEqual(['First Bank •••• 6789 Default'])
})

test('[GRID-03][PM-21] authorize: an account is typed and stored by keyboard alone, and axe finds nothing', async () => {
  const page = await openMethods()
  await page.getByRole('button', { name: 'Add card' }).click()
  await expect(page.getByRole('dialog').getByLabel('Card number')).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add bank account' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Routing number').focus()
  expect(await findViolations(page)).toEqual([])
  for (const typed of [ROUTING_NUMBER, '123456789', 'Ada Payer', 'First Bank', 'Checking']) {
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
  }
  await dialog.getByLabel('Bank name').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => readTitles(page, 'ACH')).toEqual(['First Bank •••• 6789 Default'])
})

describe('where the reseller takes no card numbers', () => {
  beforeAll(() => setPaymentOption('--raw-card', 'off'))
  afterAll(() => setPaymentOption('--raw-card', 'on'))

  test('[PM-03][PM-04][PM-09][PM-20] authorize: Accept.js sends the card to Authorize.net, and its token is stored; bank accounts are as before', async () => {
    const page = await openMethods()
    const errors = await collectPageErrors(page)
    const bodies = collectBodies(page, 'cards')
    const dialog = await openAdd(page, 'Add card')
    await typeCard(dialog)
    await dialog.getByLabel('Postcode or ZIP').fill('46201')
    await addButton(dialog).dblclick()
    await expect.poll(() => readTitles(page, 'Cards')).toEqual(['Visa •••• 1111 Default'])
    expect(bodies).toMatchObject([{ token: expect.stringMatching(/^COMMON\.ACCEPT\.INAPP\.PAYMENT\|\S+$/), zip: '46201' }])
    expect(JSON.stringify(bodies)).not.toContain(AUTHORIZE_CARDS.visa)
    const account = await openAdd(page, 'Add bank account')
    await typeAccount(account)
    await addButton(account).click()
    await expect.poll(() => readTitles(page, 'ACH')).toEqual(['First Bank •••• 6789'])
    expect(errors).toEqual([])
  })

  test('[PM-06][PM-20] authorize: what Accept.js refuses is told in the dialog; a decline needs no new typing', async () => {
    const page = await openMethods()
    const bodies = collectBodies(page, 'cards')
    const dialog = await openAdd(page, 'Add card')
    await typeCard(dialog, { number: '4111111111111112' })
    await addButton(dialog).click()
    await expect(dialog.getByRole('alert').filter({ hasText: 'Your card number is invalid.' })).toBeVisible()
    expect(bodies).toEqual([])
    await typeCard(dialog)
    await dialog.getByLabel('Postcode or ZIP').fill(DECLINING_ZIP)
    await addButton(dialog).click()
    await expect(dialog.getByRole('alert').filter({ hasText: 'This transaction has been declined.' })).toBeVisible()
    await dialog.getByLabel('Postcode or ZIP').fill('46201')
    await addButton(dialog).click()
    await expect.poll(() => readTitles(page, 'Cards')).toEqual(['Visa •••• 1111 Default'])
  })

  test('[PM-06][PM-20] authorize: a script that failed to load can be loaded again', async () => {
    const page = await openMethods()
    const stopFailing = await failRequests(page, '**/v1/Accept.js', (route) => route.abort())
    const dialog = await openAdd(page, 'Add card')
    await expect(dialog.getByText('The form of our payment partner could not be loaded.')).toBeVisible()
    await expect(addButton(dialog)).toBeDisabled()
    stopFailing()
    await dialog.getByRole('button', { name: /Try again/ }).click()
    await expect(dialog.getByLabel('Card number')).toBeVisible()
  })
})
