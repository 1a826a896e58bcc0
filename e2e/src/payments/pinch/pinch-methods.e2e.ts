import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { expect } from '../../support/expect.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import { deletePinchMethods, PINCH_CARDS, storeAccount, storeCard, typeCard } from './pinch-methods.ts'

const { signInAs } = usePages()

const openMethods = async (): Promise<Page> => {
  const page = await signInAs('pinch')
  await page.goto('/payment-types')
  await expect(page.getByRole('button', { name: 'Add card' })).toBeVisible()
  await deletePinchMethods(page)
  await page.reload()
  await expect(page.getByText('No saved cards')).toBeVisible()
  return page
}

interface SentRequest {
  readonly url: string
  readonly body: Record<string, unknown>
}

const collectPosts = (page: Page): SentRequest[] => {
  const sent: SentRequest[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.postData()?.startsWith('{') === true)
      sent.push({ url: request.url(), body: request.postDataJSON() })
  })
  return sent
}

test('[PM-02][PM-03][PM-04][PM-06][PM-07][PM-08][PM-60] pinch: a card is added once by a double click; its number goes to Pinch alone; what Pinch refuses is told, and what was typed stays', async () => {
  const page = await openMethods()
  const sent = collectPosts(page)
  await page.getByRole('button', { name: 'Add card' }).click()
  const dialog = page.getByRole('dialog')
  const add = dialog.getByRole('button', { name: 'Add' })
  await typeCard(dialog, PINCH_CARDS.refused)
  await expect(add).toBeDisabled()
  await dialog.getByLabel('Name on card').fill('Ada Holder')
  await expect(add).toBeDisabled()
  await dialog.getByLabel('Email').fill('ada@payer')
  await expect(add).toBeDisabled()
  await dialog.getByLabel('Email').fill('ada@payer.example')
  await expect(add).toBeEnabled()
  await dialog.getByLabel('Name on card').fill(' ')
  await expect(add).toBeDisabled()
  await dialog.getByLabel('Name on card').fill('Ada Holder')
  expect(await findViolations(page)).toEqual([])
  await add.click()
  await expect(dialog.getByText(/^Not a valid test card number/)).toBeVisible()
  await expect(dialog.getByLabel('Card number')).toHaveValue('4539 5787 6362 1486')
  await expect(dialog.getByLabel('Email')).toHaveValue('ada@payer.example')
  await dialog.getByLabel('Card number').fill(PINCH_CARDS.visa)
  await add.dblclick()
  const row = page.getByRole('button', { name: /Visa •••• 4242/ })
  await expect(row).toHaveCount(1)
  expect(sent.filter(({ url }) => url === `${testEnvironment().sandboxUrl}/pinch/test/tokens`).map(({ body }) => body)).toEqual([
    expect.objectContaining({ CardNumber: PINCH_CARDS.refused }),
    {
      PublishableKey: 'pk_test_3007',
      CardNumber: PINCH_CARDS.visa,
      Cvc: '123',
      ExpiryMonth: '12',
      ExpiryYear: '2031',
      CardHolderName: 'Ada Holder',
    },
  ])
  const ours = sent.filter(({ url }) => !url.startsWith(testEnvironment().sandboxUrl))
  expect(ours.filter(({ url }) => url.endsWith('/v1/ec/payments/cards')).map(({ body }) => body)).toEqual([
    { token: expect.stringMatching(/^tkn_/), cardholder: 'Ada Holder', email: 'ada@payer.example' },
  ])
  expect(JSON.stringify(ours)).not.toMatch(/4242424242424242|4539578763621486/)
  await row.click()
  for (const text of ['Ada Holder', '12/2031']) await expect(page.getByText(text, { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
})

test('[PM-03][PM-07][PM-60] pinch: the default stays while there are others, with the reason; another becomes it, and then it can go', async () => {
  const page = await openMethods()
  await storeCard(page)
  await storeCard(page, PINCH_CARDS.mastercard)
  await page.getByRole('button', { name: /Visa •••• 4242/ }).click()
  const remove = page.getByRole('button', { name: 'Remove Visa •••• 4242' })
  await expect(remove).toBeDisabled()
  const reason = page.getByText('The default cannot be removed while there are others. Make another one the default first.')
  expect(await remove.getAttribute('aria-describedby')).toBe(await reason.getAttribute('id'))
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: /^Mastercard •••• 4444/ }).click()
  await page.getByRole('button', { name: 'Set Default: Mastercard •••• 4444' }).click()
  await expect(remove).toBeEnabled()
  await expect(page.getByRole('button', { name: 'Remove Mastercard •••• 4444' })).toBeDisabled()
  await remove.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('button', { name: /Visa •••• 4242/ })).toHaveCount(0)
  await page.getByRole('button', { name: /Mastercard •••• 4444/ }).click()
  await page.getByRole('button', { name: 'Remove Mastercard •••• 4444' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No saved cards')).toBeVisible()
})

test('[PM-02][PM-03][PM-15][PM-60] pinch: a bank account needs its owner, BSB, number and mandate; it is added and removed', async () => {
  const page = await openMethods()
  const sent = collectPosts(page)
  await page.getByRole('button', { name: 'Add bank account' }).click()
  const dialog = page.getByRole('dialog')
  const add = dialog.getByRole('button', { name: 'Add' })
  await dialog.getByLabel('Account holder name').fill('Ada Holder')
  await dialog.getByLabel('Email').fill('ada@payer.example')
  await dialog.getByLabel('BSB').fill('00000')
  await dialog.getByLabel('Account number').fill('1234')
  await dialog.getByRole('checkbox').check()
  await expect(add).toBeDisabled()
  await dialog.getByLabel('BSB').fill('000001')
  await expect(dialog.getByLabel('BSB')).toHaveValue('000-001')
  await expect(add).toBeDisabled()
  await dialog.getByLabel('Account number').fill('12345')
  await expect(add).toBeEnabled()
  await dialog.getByRole('checkbox').uncheck()
  await expect(add).toBeDisabled()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await storeAccount(page)
  expect(sent.find(({ url }) => url.endsWith('/v1/ec/payments/setup-intent'))?.body).toEqual({
    paymentMethodId: expect.stringMatching(/^tkn_/),
    paymentMethodType: 'au_becs_debit',
    accountHolderName: 'Ada Holder',
    email: 'ada@payer.example',
  })
  await page.getByRole('button', { name: /BSB 000001 •••• 7890/ }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No saved bank accounts')).toBeVisible()
})
