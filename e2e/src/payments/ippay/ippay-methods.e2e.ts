import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { expect } from '../../support/expect.ts'
import { failRequests } from '../../support/failing-requests.ts'
import { collectPageErrors } from '../../support/page-errors.ts'
import { usePages } from '../../support/pages.ts'
import { testEnvironment } from '../../support/test-environment.ts'
import {
  frameButton,
  hostedPage,
  injectIPpayFault,
  IPPAY_CARDS,
  openAddView,
  openIPpayMethods,
  readMethodTitles,
  storeByFrame,
  typeAccount,
  typeCard,
} from './ippay-frame.ts'

const { openPageAs, signInAs } = usePages()

const openMethods = async (): Promise<Page> => {
  const page = await signInAs('ippay')
  await openIPpayMethods(page)
  return page
}

const markDocument = (page: Page) => page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }))
const isSameDocument = (page: Page) => page.evaluate(() => 'isSameDocument' in globalThis).catch(() => true)

test('[NAV-06] type 4: Payment Types stands in the Settings menu and opens its screen, with one list', async () => {
  const page = await openPageAs('ippay')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Payment Types' }).click()
  await expect(page.getByRole('region', { name: 'Cards' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Add/ })).toHaveCount(1)
})

test('[PM-40][PM-02][PM-03][PM-04][PM-07][PM-09] type 4: a card and an account are entered in the frame, which reloads the page; they are made the default and removed', async () => {
  const page = await openMethods()
  const errors = await collectPageErrors(page)
  await openAddView(page)
  await expect(page.getByRole('radio', { name: 'Credit Card' })).toBeChecked()
  await page.getByRole('button', { name: 'Cards List' }).click()
  await expect(page.getByText('No saved cards')).toBeVisible()

  await openAddView(page)
  await markDocument(page)
  await typeCard(page)
  await frameButton(page, 'Save').dblclick()
  await expect.poll(() => isSameDocument(page)).toBe(false)
  await expect.poll(() => readMethodTitles(page).catch(() => [])).toEqual(['Visa •••• 1000 Default'])
  const row = page.getByRole('button', { name: /^Visa •••• 1000/ })
  await row.click()
  await expect(page.getByRole('definition').filter({ hasText: '12/2031' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Edit/ })).toHaveCount(0)

  await openAddView(page, 'ACH')
  await typeAccount(page)
  await frameButton(page, 'Save').click()
  await expect.poll(() => readMethodTitles(page).catch(() => [])).toEqual(['Visa •••• 1000 Default', 'Bank account •••• 1999'])
  await page.getByRole('button', { name: /^Bank account •••• 1999/ }).click()
  await expect(page.getByRole('definition').filter({ hasText: '071025661' })).toBeVisible()
  await page.getByRole('button', { name: 'Set Default: Bank account •••• 1999' }).dblclick()
  await expect.poll(() => readMethodTitles(page)).toEqual(['Visa •••• 1000', 'Bank account •••• 1999 Default'])

  await page.getByRole('button', { name: 'Remove Bank account •••• 1999' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Remove Bank account •••• 1999' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).dblclick()
  await expect.poll(() => readMethodTitles(page).catch(() => [])).toEqual(['Visa •••• 1000 Default'])
  await page.goto('/invoices')
  await page.goBack()
  await expect.poll(() => readMethodTitles(page).catch(() => [])).toEqual(['Visa •••• 1000 Default'])
  expect(errors).toEqual([])
})

test('[PM-40] type 4: a card on which a fraud screen remarks (AFS-103) is stored, and the page is reloaded', async () => {
  const page = await openMethods()
  await storeByFrame(page, IPPAY_CARDS.screened)
  await expect.poll(() => readMethodTitles(page)).toEqual(['Visa •••• 1103 Default'])
})

test('[PM-40][PM-06] type 4: any other message warns for five seconds, and the frame can be used again', async () => {
  const page = await openMethods()
  await openAddView(page)
  await markDocument(page)
  await typeCard(page, { number: IPPAY_CARDS.declined })
  await frameButton(page).click()
  const warning = page.getByRole('alert').filter({ hasText: 'DECLINED (005)' })
  await expect(warning).toBeVisible()
  const shownAt = Date.now()
  await expect(warning).toHaveCount(0)
  expect(Date.now() - shownAt).toBeGreaterThan(3_500)
  expect(Date.now() - shownAt).toBeLessThan(9_000)
  expect(await isSameDocument(page)).toBe(true)
  await expect(hostedPage(page).getByLabel('Card number')).toHaveValue('')
  await typeCard(page)
  await frameButton(page).click()
  await expect.poll(() => readMethodTitles(page).catch(() => [])).toEqual(['Visa •••• 1000 Default'])
})

test('[PM-40][PM-08] type 4: what the page itself refuses is told there, and what was typed stays', async () => {
  const page = await openMethods()
  await openAddView(page)
  await typeCard(page, { number: '4111111111111112' })
  await frameButton(page).click()
  await expect(hostedPage(page).getByRole('alert')).toHaveText('This is not the number of a card.')
  await expect(hostedPage(page).getByLabel('Cardholder')).toHaveValue('Caleb Norris')
  await typeCard(page)
  await frameButton(page).click()
  await expect.poll(() => readMethodTitles(page).catch(() => [])).toEqual(['Visa •••• 1000 Default'])
})

test('[PM-40] type 4: a frame that cannot be loaded says so for five seconds, and can be asked for again', async () => {
  const page = await openMethods()
  const stopFailing = await failRequests(page, '**/v1/ec/ippay/cards/*/templates', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.getByRole('button', { name: 'Add card' }).click()
  const text = page.getByText('Our server returned error, try again later')
  await expect(text).toBeVisible()
  await expect(text).toHaveCount(0)
  stopFailing()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(hostedPage(page).getByLabel('Card number')).toBeVisible()
})

test('[PM-40] type 4: messages of other windows and origins, and other things than short texts, count for nothing', async () => {
  const page = await openMethods()
  await openAddView(page)
  await markDocument(page)
  await page.evaluate(() => {
    postMessage('000', '*')
    const other = document.body.appendChild(document.createElement('iframe'))
    other.srcdoc = '<p>other</p>'
    dispatchEvent(new MessageEvent('message', { data: '000', origin: 'null', source: window }))
  })
  const frame = page.frames().find((one) => one.url().startsWith(testEnvironment().sandboxUrl))
  await frame?.evaluate(() => {
    parent.postMessage({ code: '000' }, '*')
    parent.postMessage('x'.repeat(65), '*')
    parent.postMessage('A warning', '*')
  })
  await expect(page.getByRole('alert').filter({ hasText: 'A warning' })).toBeVisible()
  expect(await isSameDocument(page)).toBe(true)
})

test('[PM-40][PAY-01] type 4: a message of the frame is not believed: nothing is stored by it', async () => {
  const page = await openMethods()
  await openAddView(page)
  await markDocument(page)
  const frame = page.frames().find((one) => one.url().startsWith(testEnvironment().sandboxUrl))
  await frame?.evaluate(() => parent.postMessage('000', '*'))
  await expect.poll(() => isSameDocument(page)).toBe(false)
  await expect(page.getByText('No saved cards')).toBeVisible()
})

test('[PM-40][PAY-01] type 4: the frame and its return page cannot reach the portal', async () => {
  const page = await openMethods()
  await openAddView(page)
  const template = page.frames().find((one) => one.url().startsWith(testEnvironment().sandboxUrl))
  const returnUrl = new URL(template?.url() ?? '').searchParams.get('retUrl') ?? ''
  const answer = await page.request.post(returnUrl, { form: { ActionCode: '005', ResponseText: 'DECLINED' } })
  expect(answer.headers()['content-security-policy']).toContain('sandbox allow-scripts;')
  // Reached without its frame, it is of no origin, and reads nothing of ours.
  const reach = await template?.evaluate(() => {
    try {
      return parent.document.title
    } catch {
      return 'refused'
    }
  })
  expect(reach).toBe('refused')
})

test('[PM-06] type 4: a return that cannot ask IPpay says so, and nothing is stored', async () => {
  const page = await openMethods()
  await openAddView(page)
  await injectIPpayFault(page, { operation: 'lookup', kind: 'error' })
  await typeCard(page)
  await frameButton(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'We could not reach the payment provider.' })).toBeVisible()
  await page.getByRole('button', { name: 'Cards List' }).click()
  await expect(page.getByText('No saved cards')).toBeVisible()
})

test('[GRID-03][PM-40] type 4: a card is entered by keyboard alone, and axe finds nothing', async () => {
  const page = await openMethods()
  await page.getByRole('button', { name: 'Add card' }).focus()
  await page.keyboard.press('Enter')
  await expect(hostedPage(page).getByLabel('Card number')).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await hostedPage(page).getByLabel('Cardholder').focus()
  for (const typed of ['Caleb Norris', IPPAY_CARDS.visa, '1231', '123']) {
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect.poll(() => readMethodTitles(page).catch(() => [])).toEqual(['Visa •••• 1000 Default'])
})
