import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { expect } from '../../support/expect.ts'
import { failRequests } from '../../support/failing-requests.ts'
import { collectPageErrors } from '../../support/page-errors.ts'
import { usePages } from '../../support/pages.ts'
import {
  BPOINT_CARDS,
  collectSent,
  injectBpointFault,
  openBpointMethods,
  readTitles,
  storeBpointAccount,
  storeBpointCard,
  typeAccount,
  typeCard,
} from './bpoint-methods.ts'

const { openPageAs, signInAs } = usePages()

const openMethods = async (): Promise<Page> => {
  const page = await signInAs('bpoint')
  await openBpointMethods(page)
  return page
}

const openAdd = async (page: Page, name: 'Add card' | 'Add bank account'): Promise<Locator> => {
  await page.getByRole('button', { name }).click()
  return page.getByRole('dialog', { name })
}

const addButton = (dialog: Locator): Locator => dialog.getByRole('button', { name: 'Add' })

/** The bodies with which methods are stored. */
const collectBodies = (page: Page): Record<string, unknown>[] => {
  const bodies: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/ec/bpoint/cards')) bodies.push(request.postDataJSON())
  })
  return bodies
}

test('[NAV-06] type 10: Payment Types stands in the Settings menu and opens its screen, with cards and direct debit', async () => {
  const page = await openPageAs('bpoint')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Payment Types' }).click()
  for (const name of ['Cards', 'Direct Debit']) await expect(page.getByRole('region', { name })).toBeVisible()
})

test('[PM-02][PM-03][PM-04][PM-07][PM-09][PM-100] type 10: cards go straight to BPOINT and are stored by their keys, made the default and removed', async () => {
  const page = await openMethods()
  const errors = await collectPageErrors(page)
  const [bodies, sent] = [collectBodies(page), collectSent(page)]
  const dialog = await openAdd(page, 'Add card')
  await typeCard(dialog)
  // The name is required.
  await expect(addButton(dialog)).toBeDisabled()
  await dialog.getByLabel('Name on card').fill('Ada Payer')
  await addButton(dialog).dblclick()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => readTitles(page, 'Cards')).toEqual(['Visa 498765...769 Default'])
  expect(bodies).toEqual([{ authKeys: expect.stringMatching(/^[\w-]{8,}$/) }])
  expect(sent.text()).not.toContain(BPOINT_CARDS.visa)
  await page.getByRole('button', { name: /498765\.\.\.769/ }).click()
  for (const fact of ['Ada Payer', '12/2031', 'No email provided'])
    await expect(page.getByRole('definition').filter({ hasText: fact })).toBeVisible()
  // These cards have no PUT in the specification.
  await expect(page.getByRole('button', { name: /^Edit/ })).toHaveCount(0)

  const another = await openAdd(page, 'Add card')
  await typeCard(another, { number: BPOINT_CARDS.amex, code: '7391' })
  await another.getByLabel('Name on card').fill('Ada Payer')
  await addButton(another).click()
  await expect.poll(() => readTitles(page, 'Cards')).toEqual(['Visa 498765...769 Default', 'American Express 345678...564'])
  await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }))
  await page.getByRole('button', { name: /^American Express/ }).click()
  await page.getByRole('button', { name: 'Set Default: 345678...564' }).dblclick()
  await expect.poll(() => readTitles(page, 'Cards')).toEqual(['Visa 498765...769', 'American Express 345678...564 Default'])
  expect(await page.evaluate(() => 'isSameDocument' in globalThis)).toBe(true)
  await page.getByRole('button', { name: 'Remove 345678...564' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).dblclick()
  await expect.poll(() => readTitles(page, 'Cards').catch(() => [])).toEqual(['Visa 498765...769 Default'])
  // Deleting reloads the page (PM-07).
  await expect.poll(() => page.evaluate(() => 'isSameDocument' in globalThis).catch(() => true)).toBe(false)
  await page.goto('/invoices')
  await page.goBack()
  await expect.poll(() => readTitles(page, 'Cards').catch(() => [])).toEqual(['Visa 498765...769 Default'])
  expect(errors).toEqual([])
})

test('[PM-06][PM-08][PM-100] type 10: the first detail message is told in the dialog, which keeps what was typed, until it is changed', async () => {
  const page = await openMethods()
  const bodies = collectBodies(page)
  const dialog = await openAdd(page, 'Add card')
  await dialog.getByLabel('Name on card').fill('Ada Payer')
  for (const card of [{ number: '4987 6543 2109' }, { expiry: '12 / 3' }, { expiry: '1020' }, { code: '12' }]) {
    await typeCard(dialog, card)
    await expect(addButton(dialog)).toBeDisabled()
  }
  await typeCard(dialog, { number: '4987654321098768' })
  await addButton(dialog).click()
  const alert = dialog.getByRole('alert').filter({ hasText: 'Card number is invalid' })
  await expect(alert).toBeVisible()
  expect(bodies).toEqual([])
  await expect(dialog.getByLabel('Card number')).toHaveValue('4987 6543 2109 8768')
  await typeCard(dialog)
  await expect(alert).toHaveCount(0)
  await injectBpointFault(page, { operation: 'store', kind: 'decline', booked: false })
  await addButton(dialog).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'This card is not accepted' })).toBeVisible()
  await injectBpointFault(page, { operation: 'store', kind: 'drop' })
  await addButton(dialog).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'We could not reach the payment provider.' })).toBeVisible()
  await addButton(dialog).click()
  await expect.poll(() => readTitles(page, 'Cards')).toEqual(['Visa 498765...769 Default'])
})

test('[PM-06][PM-100] type 10: a missing script is only logged; the form stays, says why it was not sent, and can be sent later', async () => {
  const page = await openMethods()
  await page.reload()
  const stopFailing = await failRequests(page, '**/clientscripts/api.js', (route) => route.abort())
  const logged: string[] = []
  page.on('console', (message) => void logged.push(message.text()))
  const dialog = await openAdd(page, 'Add card')
  await expect.poll(() => logged.join()).toContain('The script of BPOINT is missing.')
  await expect(dialog.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
  await typeCard(dialog)
  await dialog.getByLabel('Name on card').fill('Ada Payer')
  await addButton(dialog).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'a script of our payment partner is blocked' })).toBeVisible()
  await expect(dialog.getByLabel('Card number')).toHaveValue('4987 6543 2109 8769')
  stopFailing()
  await addButton(dialog).click()
  await expect.poll(() => readTitles(page, 'Cards')).toEqual(['Visa 498765...769 Default'])
})

test('[PM-02][PM-03][PM-04][PM-101] type 10: a bank account is stored when everything is filled in, made the default and removed', async () => {
  const page = await openMethods()
  await storeBpointCard(page)
  await page.reload()
  const [bodies, sent, errors] = [collectBodies(page), collectSent(page), await collectPageErrors(page)]
  const dialog = await openAdd(page, 'Add bank account')
  for (const account of [{ bsb: '06200' }, { account: '1234' }, { holder: ' ' }]) {
    await typeAccount(dialog, account)
    await expect(addButton(dialog)).toBeDisabled()
  }
  await typeAccount(dialog)
  await expect(dialog.getByLabel('BSB')).toHaveValue('062-000')
  await addButton(dialog).dblclick()
  await expect.poll(() => readTitles(page, 'Direct Debit')).toEqual(['BSB 062000 •••• 5678'])
  expect(bodies).toEqual([{ authKeys: expect.stringMatching(/^[\w-]{8,}$/) }])
  expect(sent.text()).not.toContain('12345678')
  await page.getByRole('button', { name: /^BSB 062000/ }).click()
  for (const fact of ['Ada Payer', '062000', '•••• 5678'])
    await expect(page.getByRole('definition').filter({ hasText: fact })).toBeVisible()

  await page.getByRole('button', { name: 'Set Default: BSB 062000 •••• 5678' }).click()
  await expect.poll(() => readTitles(page, 'Direct Debit').catch(() => [])).toEqual(['BSB 062000 •••• 5678 Default'])
  await page.getByRole('button', { name: /^BSB 062000/ }).click()
  await page.getByRole('button', { name: 'Remove BSB 062000 •••• 5678' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No saved bank accounts')).toBeVisible()
  await expect.poll(() => readTitles(page, 'Cards').catch(() => [])).toEqual(['Visa 498765...769 Default'])
  expect(errors).toEqual([])
})

test('[PM-06][PM-101] type 10: an account that cannot be removed stays, under the banner', async () => {
  const page = await openMethods()
  await storeBpointAccount(page)
  await page.reload()
  await injectBpointFault(page, { operation: 'remove', kind: 'error' })
  await page.getByRole('button', { name: /^BSB 062000/ }).click()
  await page.getByRole('button', { name: 'Remove BSB 062000 •••• 5678' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Our server returned error, try again later' })).toBeVisible()
  await expect.poll(() => readTitles(page, 'Direct Debit')).toEqual(['BSB 062000 •••• 5678 Default'])
})

test('[GRID-03][PM-101] type 10: an account is typed and stored by keyboard alone, and axe finds nothing', async () => {
  const page = await openMethods()
  await storeBpointCard(page)
  await page.reload()
  await expect(page.getByRole('button', { name: /498765\.\.\.769/ })).toBeVisible()
  await page.getByRole('button', { name: 'Add card' }).click()
  await expect(page.getByRole('dialog').getByLabel('Card number')).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add bank account' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('BSB').focus()
  expect(await findViolations(page)).toEqual([])
  for (const typed of ['062000', '12345678', 'Ada Payer']) {
    await page.keyboard.type(typed)
    if (typed !== 'Ada Payer') await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect.poll(() => readTitles(page, 'Direct Debit')).toEqual(['BSB 062000 •••• 5678'])
})
