import type { Page } from 'playwright-core'
import { findViolations } from '../../support/accessibility.ts'
import { DESKTOP, PHONE } from '../../support/browser.ts'
import { expect } from '../../support/expect.ts'
import { cardFields, HOLDER, inGroups } from './forms.ts'
import type { ProviderDriver } from './provider-driver.ts'
import { openDialog } from './stored-methods.ts'

/** BPOINT's test cards, and one with a wrong check digit. */
const CARDS = { visa: '4987654321098769', mastercard: '5123456789012346', wrong: '4987654321098768' } as const
const ANOTHER = '345678...564'
const KEY = expect.stringMatching(/^[\w-]{8,}$/)

/** The number of a stored card stands beside the image of its brand, on a phone and on a desktop. */
const expectImageBesideNumber = async (page: Page): Promise<void> => {
  expect(await findViolations(page)).toEqual([])
  const card = page.locator('label').filter({ hasText: ANOTHER })
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport)
    const isBeside = async (): Promise<boolean> => {
      const [image, number] = await Promise.all([card.locator('svg').boundingBox(), card.getByText(ANOTHER).boundingBox()])
      const gap = image === null || number === null ? 0 : number.x - image.x - image.width
      return gap > 0 && gap < 24
    }
    await expect.poll(isBeside, `at ${viewport.width} px`).toBe(true)
  }
}

export const bpoint: ProviderDriver = {
  name: 'bpoint',
  type: 10,
  reseller: 3009,
  currency: 'AUD',
  total: 'A$110.00',
  declined: 'The payment was declined. Please use another payment method, or ask your bank.',
  link: {
    typed: { 'Name on card': HOLDER, ...cardFields(CARDS.visa) },
    refused: { typed: { 'Card number': CARDS.wrong }, says: 'Card number is invalid' },
    kept: { 'Name on card': HOLDER, 'Security code': '739' },
    another: { 'Card number': CARDS.mastercard },
    sent: { cardToken: KEY },
  },
  card: {
    typed: { 'Name on card': HOLDER, ...cardFields(CARDS.visa) },
    refused: { typed: { 'Card number': CARDS.wrong }, says: 'Card number is invalid' },
    kept: { 'Card number': inGroups(CARDS.wrong), 'Name on card': HOLDER },
    title: '498765...769',
    facts: [HOLDER, '12/2031', 'No email provided'],
    sent: { authKeys: KEY },
    another: { typed: { 'Name on card': HOLDER, ...cardFields('345678901234564', '7391') }, title: ANOTHER },
  },
  account: {
    typed: { BSB: '062000', 'Account number': '12345678', 'Account holder': HOLDER },
    kept: {},
    list: 'Direct Debit',
    title: 'BSB 062000 •••• 5678',
    facts: [HOLDER, '062000', '•••• 5678'],
    sent: { authKeys: KEY },
    type: 'au_becs_debit',
  },
  paysByCardToken: true,
  openForm: openDialog,
  expectChoice: expectImageBesideNumber,
}
