import type { Page } from 'playwright-core'
import { afterAll, test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { expect } from '../../support/expect.ts'
import { usePages } from '../../support/pages.ts'
import {
  cardFrame,
  deleteNexioMethods,
  storeAccount,
  storeCard,
  typeCard,
  typeFramedCard,
  typePayer,
  setCardNumbers,
} from './nexio-cards.ts'

const { signInAs } = usePages()

afterAll(() => setCardNumbers('on'))

const ENCRYPTED = expect.stringMatching(/^[A-Za-z0-9+/]{342}==$/)

const openMethods = async (): Promise<Page> => {
  const page = await signInAs('nexio')
  await page.goto('/payment-types')
  await expect(page.getByRole('button', { name: 'Add card' })).toBeVisible()
  await deleteNexioMethods(page)
  await page.reload()
  await expect(page.getByText('No saved cards')).toBeVisible()
  return page
}

const collectBodies = (page: Page, path: string): Record<string, unknown>[] => {
  const bodies: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(path)) bodies.push(request.postDataJSON())
  })
  return bodies
}

test('[PM-02][PM-03][PM-04][PM-06][PM-07][PM-08][PM-80] nexio: a card is added once by a double click, its number encrypted; a wrong code is told and what was typed stays', async () => {
  const page = await openMethods()
  const bodies = collectBodies(page, '/v1/ec/nexio/cards')
  await page.getByRole('button', { name: 'Add card' }).click()
  const dialog = page.getByRole('dialog')
  const add = dialog.getByRole('button', { name: 'Add' })
  await dialog.getByLabel('Name on card').fill('Ada Holder')
  await typeCard(dialog, { code: '999' })
  await typePayer(dialog)
  await expect(add).toBeDisabled()
  await dialog.getByLabel('Shipping address').fill('2 Harbour Road')
  await dialog.getByLabel('Address', { exact: true }).fill('1 Quay Street')
  await dialog.getByLabel('Country').selectOption('US')
  await expect(add).toBeEnabled()
  for (const label of ['Name on card', 'Payer first name', 'Payer last name', 'Shipping address']) {
    const typed = await dialog.getByLabel(label).inputValue()
    await dialog.getByLabel(label).fill(' ')
    await expect(add).toBeDisabled()
    await dialog.getByLabel(label).fill(typed)
  }
  expect(await findViolations(page)).toEqual([])
  await add.click()
  await expect(dialog.getByText('The security code of the card is not right. Please check it.')).toBeVisible()
  await expect(dialog.getByLabel('Card number')).toHaveValue('4111 1111 1111 1111')
  await dialog.getByLabel('Security code').fill('123')
  await add.dblclick()
  const row = page.getByRole('button', { name: /Visa •••• 1111/ })
  await expect(row).toHaveCount(1)
  expect(bodies).toHaveLength(2)
  expect(bodies[1]).toEqual({
    firstSix: '411111',
    lastFour: '1111',
    cvv: '123',
    cardType: 'visa',
    expirationMonth: '12',
    expirationYear: '2031',
    encryptedNumber: ENCRYPTED,
    cardHolderName: 'Ada Holder',
    customer: {
      payerFirstName: 'Augusta',
      payerLastName: 'Payersen',
      billingAddress: '1 Quay Street',
      billingAddress2: '',
      billingPhone: '',
      shippingAddress: '2 Harbour Road',
      shippingPhone: '',
      country: 'US',
      state: '',
      zip: '',
      email: '',
    },
  })
  await row.click()
  for (const text of ['Ada Holder', '12/2031', 'Augusta', '2 Harbour Road', 'No Address 2 provided', 'No email provided'])
    await expect(page.getByText(text, { exact: true })).toBeVisible()
})

test('[PM-03][PM-07][PM-08][PM-80] nexio: edit, default and remove; a new default reloads the page', async () => {
  const page = await openMethods()
  await storeCard(page)
  await storeCard(page)
  const rows = page.getByRole('button', { name: /Visa •••• 1111/ })
  await expect(rows).toHaveCount(2)
  await rows.nth(1).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Expiry month').fill('13')
  await expect(dialog.getByText('Please provide valid date')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await dialog.getByLabel('Expiry month').fill('3')
  await dialog.getByLabel('Expiry year').fill('2033')
  await dialog.getByLabel('Payer first name').fill('Anne')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Anne', { exact: true })).toBeVisible()
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Set Default' }).click()
  await reloaded
  const edited = page.getByRole('button', { name: /Expires 03\/2033/ })
  await edited.click()
  await expect(page.getByRole('button', { name: 'Set Default' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(edited).toHaveCount(0)
  await expect(rows).toHaveCount(1)
})

test('[PM-06][PM-80] nexio: without a usable key nothing can be added, and the page says so', async () => {
  const page = await openMethods()
  await page.route('**/v1/ec/payments/details', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), publishableKey: 'no key' } })
  })
  await page.reload()
  for (const name of ['Add card', 'Add bank account']) {
    await page.getByRole('button', { name }).click()
    const dialog = page.getByRole('dialog')
    await expect(
      dialog.getByText("The payment gateway isn't configured properly. Please contact support if the issue persists.", { exact: true }),
    ).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  }
})

test('[PM-04][PM-80] nexio: without the switch for card numbers the card is typed in Nexio’s frame, and a token takes its place', async () => {
  await setCardNumbers('off')
  const page = await openMethods()
  const bodies = collectBodies(page, '/v1/ec/nexio/cards')
  await page.getByRole('button', { name: 'Add card' }).click()
  const dialog = page.getByRole('dialog')
  await expect(cardFrame(page).getByLabel('Card number')).toBeVisible()
  await expect(dialog.getByLabel('Card number')).toHaveCount(0)
  await dialog.getByLabel('Name on card').fill('Ada Holder')
  await typePayer(dialog)
  await dialog.getByLabel('Shipping address').fill('2 Harbour Road')
  const add = dialog.getByRole('button', { name: 'Add' })
  await expect(add).toBeDisabled()
  await typeFramedCard(page, '999')
  await add.click()
  await expect(dialog.getByText('Verify CVC Failed')).toBeVisible()
  // A used token is replaced by a new frame; what was typed on our page stays.
  await expect(dialog.getByLabel('Shipping address')).toHaveValue('2 Harbour Road')
  await expect(cardFrame(page).getByLabel('Card number')).toHaveValue('')
  await typeFramedCard(page)
  await add.dblclick()
  await expect(page.getByRole('button', { name: /Visa •••• 1111/ })).toHaveCount(1)
  expect(bodies).toEqual([
    {
      token: expect.stringMatching(/^[0-9a-f-]{36}$/),
      cardHolderName: 'Ada Holder',
      customer: expect.objectContaining({ payerFirstName: 'Augusta' }),
    },
  ])
  await setCardNumbers('on')
})

test('[PM-04][PM-07][PM-81] nexio: a bank account is added with its number encrypted, and removed', async () => {
  const page = await openMethods()
  const bodies = collectBodies(page, '/v1/ec/nexio/ach')
  await page.getByRole('button', { name: 'Add bank account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Account holder name').fill('Ada Holder')
  await dialog.getByLabel('Routing number').fill('23137515')
  await dialog.getByLabel('Account number').fill('98765')
  const add = dialog.getByRole('button', { name: 'Add' })
  await expect(add).toBeDisabled()
  await dialog.getByLabel('Routing number').fill('231375151')
  await expect(add).toBeDisabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await storeAccount(page)
  expect(bodies).toEqual([
    {
      routingNumber: '231375151',
      encryptedBankAccountNumber: ENCRYPTED,
      accountHolderName: 'Ada Holder',
      email: '',
      billingAddress: '',
      lastFour: '4321',
    },
  ])
  await page.getByRole('button', { name: /Bank account •••• 4321/ }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No saved bank accounts')).toBeVisible()
})
