import type { FrameLocator, Locator, Page } from 'playwright-core'
import { expect } from '../../support/expect.ts'
import { HOLDER } from './forms.ts'
import type { ProviderDriver } from './provider-driver.ts'

/** IPpay's test cards, and those of its stand-in; on the screened one a fraud screen remarks (AFS-103). */
export const CARDS = { visa: '4000300020001000', screened: '4000300020001103', declined: '4000300020001208' } as const
const ACCOUNT = { ABA: '071025661', AccountNumber: '11111999' } as const

/** IPpay's own page. */
export const hostedPage = (page: Page): FrameLocator => page.frameLocator('iframe[title="Payment details"]')

/** The button of IPpay's own page. */
export const frameButton = (page: Page): Locator => hostedPage(page).getByRole('button', { name: /^(Pay|Save)/ })

/** A card as it is typed into IPpay's own page. */
export const frameCard = (number: string = CARDS.visa) => ({
  Cardholder: HOLDER,
  'Card number': number,
  'Expiry date (MM / YY)': '1231',
  'Security code': '123',
})

const WRONG_NUMBER = { typed: { 'Card number': '4111111111111112' }, says: 'This is not the number of a card.' } as const

export const ippay: ProviderDriver = {
  name: 'ippay',
  type: 4,
  reseller: 3005,
  currency: 'USD',
  total: '$110.00',
  declined: 'Your card was declined.',
  frame: hostedPage,
  link: { typed: frameCard(), refused: WRONG_NUMBER, kept: { Cardholder: HOLDER }, another: frameCard('5454545454545454') },
  card: {
    typed: frameCard(),
    refused: WRONG_NUMBER,
    kept: { Cardholder: HOLDER },
    title: 'Visa •••• 1000',
    facts: ['12/2031'],
    another: { typed: frameCard(CARDS.screened), title: 'Visa •••• 1103' },
  },
  account: {
    typed: { 'Account holder': HOLDER, 'Routing number': ACCOUNT.ABA, 'Account number': ACCOUNT.AccountNumber },
    kept: {},
    list: 'Cards',
    title: 'Bank account •••• 1999',
    facts: [ACCOUNT.ABA],
    type: 'eCheck',
  },
  openForm: async (page, kind) => {
    await page.getByRole('button', { name: 'Add card' }).press('Enter')
    if (kind === 'account') await page.getByRole('radio', { name: 'ACH' }).check()
    await expect(hostedPage(page).getByLabel(kind === 'card' ? 'Card number' : 'Account number')).toBeVisible()
    return hostedPage(page)
  },
}
