import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { findViolations } from '../../support/accessibility.ts'
import { expect } from '../../support/expect.ts'
import { failRequests } from '../../support/failing-requests.ts'
import { collectPageErrors } from '../../support/page-errors.ts'
import { usePages } from '../../support/pages.ts'
import {
  hostedFields,
  injectMonerisFault,
  MONERIS_CARDS,
  openMonerisMethods,
  readCardTitles,
  setPaymentOption,
  storeMonerisCard,
  typeCard,
  typeHostedCard,
} from './moneris-cards.ts'

const { openPageAs, signInAs } = usePages()

const openMethods = async (): Promise<Page> => {
  const page = await signInAs('moneris')
  await openMonerisMethods(page)
  return page
}

const openAddCard = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Add card' }).click()
  return page.getByRole('dialog', { name: 'Add card' })
}

/** The bodies with which cards are stored. */
const collectBodies = (page: Page): Record<string, unknown>[] => {
  const bodies: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/ec/moneris/cards')) bodies.push(request.postDataJSON())
  })
  return bodies
}

test('[NAV-06] moneris: Payment Types stands in the Settings menu and opens its screen, which has cards alone', async () => {
  const page = await openPageAs('moneris')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Payment Types' }).click()
  await expect(page.getByRole('region', { name: 'Cards' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Add/ })).toHaveCount(1)
})

test('[PM-02][PM-03][PM-04][PM-07][PM-09][PM-50] moneris: cards are typed and stored, made the default and removed', async () => {
  const page = await openMethods()
  const errors = await collectPageErrors(page)
  const bodies = collectBodies(page)
  const dialog = await openAddCard(page)
  const add = dialog.getByRole('button', { name: 'Add' })
  await expect(add).toBeDisabled()
  await typeCard(dialog)
  await dialog.getByLabel('Phone').fill('604-555-0100')
  await dialog.getByLabel('Email').fill('elise@maple.example')
  await add.dblclick()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => readCardTitles(page)).toEqual(['Visa •••• 4242 Default'])
  expect(bodies).toEqual([
    {
      cardNumber: MONERIS_CARDS.visa,
      cvdValue: '739',
      expMonth: '12',
      expYear: '2031',
      phone: '604-555-0100',
      email: 'elise@maple.example',
    },
  ])
  const row = page.getByRole('button', { name: /^Visa •••• 4242/ })
  await row.click()
  for (const fact of ['12/2031', '604-555-0100', 'elise@maple.example'])
    await expect(page.getByRole('definition').filter({ hasText: fact })).toBeVisible()
  // Moneris' cards have no PUT in the specification.
  await expect(page.getByRole('button', { name: /^Edit/ })).toHaveCount(0)

  const another = await openAddCard(page)
  await typeCard(another, { number: MONERIS_CARDS.amex, code: '7391' })
  await another.getByRole('button', { name: 'Add' }).click()
  await expect.poll(() => readCardTitles(page)).toEqual(['Visa •••• 4242 Default', 'American Express •••• 5005'])
  await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }))
  await page.getByRole('button', { name: /^American Express •••• 5005/ }).click()
  await expect(page.getByText('No phone provided')).toBeVisible()
  await page.getByRole('button', { name: 'Set Default: American Express •••• 5005' }).dblclick()
  await expect.poll(() => readCardTitles(page)).toEqual(['Visa •••• 4242', 'American Express •••• 5005 Default'])
  expect(await page.evaluate(() => 'isSameDocument' in globalThis)).toBe(true)

  await page.getByRole('button', { name: 'Remove American Express •••• 5005' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Remove American Express •••• 5005' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).dblclick()
  await expect.poll(() => readCardTitles(page).catch(() => [])).toEqual(['Visa •••• 4242 Default'])
  // Deleting reloads the page (PM-07).
  await expect.poll(() => page.evaluate(() => 'isSameDocument' in globalThis).catch(() => true)).toBe(false)
  await page.goto('/invoices')
  await page.goBack()
  await expect.poll(() => readCardTitles(page).catch(() => [])).toEqual(['Visa •••• 4242 Default'])
  expect(errors).toEqual([])
})

test('[PM-08][PM-50] moneris: a card that is not complete cannot be sent', async () => {
  const page = await openMethods()
  const dialog = await openAddCard(page)
  const add = dialog.getByRole('button', { name: 'Add' })
  for (const card of [
    { number: '4242 4242 4242' },
    { expiry: '12 / 3' },
    { expiry: '1020' },
    { code: '12' },
    { number: MONERIS_CARDS.amex },
  ]) {
    await typeCard(dialog, card)
    await expect(add).toBeDisabled()
  }
  await typeCard(dialog, { expiry: '1020' })
  await expect(dialog.getByText('Please provide valid date')).toBeVisible()
  await typeCard(dialog)
  await expect(dialog.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242')
  await expect(add).toBeEnabled()
})

test('[PM-06][PM-07][PM-50] moneris: a card that is refused is told in the dialog, which keeps what was typed, until it is changed', async () => {
  const page = await openMethods()
  const dialog = await openAddCard(page)
  const add = dialog.getByRole('button', { name: 'Add' })
  await dialog.getByLabel('Phone').fill('604-555-0100')
  for (const [card, text] of [
    [{ number: '4539578763621486' }, 'This card cannot be used. Please check its number, or use another card.'],
    [{ code: '999' }, 'The security code of your card is incorrect.'],
    [{ number: '4242424242424241' }, 'This is not the number of a card. Please check it.'],
  ] as const) {
    await typeCard(dialog, card)
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await add.click()
    await expect(dialog.getByRole('alert').filter({ hasText: text })).toBeVisible()
    await expect(dialog.getByLabel('Phone')).toHaveValue('604-555-0100')
    await expect(dialog.getByLabel('Security code')).not.toHaveValue('')
  }
  await typeCard(dialog)
  await dialog.getByLabel('Email').fill('elise@maple')
  await expect(add).toBeDisabled()
  await expect(dialog.getByText('Still needed: a valid email', { exact: true })).toBeVisible()
  await dialog.getByLabel('Email').fill('elise@maple.example')
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await injectMonerisFault(page, { operation: 'verify', kind: 'decline', booked: false })
  await add.click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible()
  await injectMonerisFault(page, { operation: 'store', kind: 'drop' })
  await add.click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'We could not reach the payment provider.' })).toBeVisible()
  await add.click()
  await expect.poll(() => readCardTitles(page)).toEqual(['Visa •••• 4242 Default'])
})

test('[PM-06][PM-50] moneris: a card that cannot be removed stays, under the banner', async () => {
  const page = await openMethods()
  await storeMonerisCard(page)
  await page.reload()
  await injectMonerisFault(page, { operation: 'remove', kind: 'error' })
  await page.getByRole('button', { name: /^Visa •••• 4242/ }).click()
  await page.getByRole('button', { name: 'Remove Visa •••• 4242' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Our server returned error, try again later' })).toBeVisible()
  await expect.poll(() => readCardTitles(page)).toEqual(['Visa •••• 4242 Default'])
})

test('[GRID-03][PM-50] moneris: a card is typed and stored by keyboard alone, and axe finds nothing', async () => {
  const page = await openMethods()
  await page.getByRole('button', { name: 'Add card' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Card number')).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByLabel('Card number').focus()
  for (const typed of [MONERIS_CARDS.visa, '1231', '739', '604-555-0100', 'elise@maple.example']) {
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
  }
  await dialog.getByLabel('Email').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => readCardTitles(page)).toEqual(['Visa •••• 4242 Default'])
})

describe('where the reseller takes no card numbers', () => {
  beforeAll(() => setPaymentOption('--raw-card', 'off'))
  afterAll(() => setPaymentOption('--raw-card', 'on'))

  test('[PM-03][PM-04][PM-09][PM-50] moneris: a card is entered in Moneris’ own fields, and its token is stored', async () => {
    const page = await openMethods()
    const errors = await collectPageErrors(page)
    const bodies = collectBodies(page)
    const dialog = await openAddCard(page)
    await typeHostedCard(page)
    await dialog.getByLabel('Phone').fill('604-555-0100')
    await dialog.getByRole('button', { name: 'Add' }).dblclick()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect.poll(() => readCardTitles(page)).toEqual(['Visa •••• 4242 Default'])
    expect(bodies).toEqual([{ token: expect.stringMatching(/^ot-/), phone: '604-555-0100', email: '' }])
    expect(errors).toEqual([])
  })

  test('[PM-06][PM-50] moneris: what its own fields refuse is told in the dialog, and what was typed stays there', async () => {
    const page = await openMethods()
    const bodies = collectBodies(page)
    const dialog = await openAddCard(page)
    const add = dialog.getByRole('button', { name: 'Add' })
    for (const [card, text] of [
      [{ number: '4242424242424241' }, 'Your card number is invalid.'],
      [{ expiry: '0120' }, "Your card's expiry date is invalid."],
      [{ code: '1' }, "Your card's security code is invalid."],
    ] as const) {
      await typeHostedCard(page, card)
      await add.click()
      await expect(dialog.getByRole('alert').filter({ hasText: text })).toBeVisible()
    }
    await expect(hostedFields(page).getByLabel('Card number')).toHaveValue('4242424242424242')
    expect(bodies).toEqual([])
    await typeHostedCard(page, { code: '999' })
    await add.click()
    await expect(dialog.getByRole('alert').filter({ hasText: 'The security code of your card is incorrect.' })).toBeVisible()
    // Going into the fields takes the message away.
    await hostedFields(page).getByLabel('CVD').click()
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await typeHostedCard(page)
    await add.click()
    await expect.poll(() => readCardTitles(page)).toEqual(['Visa •••• 4242 Default'])
  })

  test('[PM-06][PM-50] moneris: fields that cannot be started can be asked for again', async () => {
    const page = await openMethods()
    const stopFailing = await failRequests(page, '**/v1/ec/payments/card-fields', (route) => route.abort())
    const dialog = await openAddCard(page)
    await expect(dialog.getByText('The card form could not be loaded.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Add' })).toBeDisabled()
    stopFailing()
    await dialog.getByRole('button', { name: /Try again/ }).click()
    await expect(hostedFields(page).getByLabel('Card number')).toBeVisible()
  })
})
