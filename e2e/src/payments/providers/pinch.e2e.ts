import { afterAll, beforeAll, test } from 'vitest'
import { enter } from '../../support/browser.ts'
import { expect } from '../../support/expect.ts'
import { usePages } from '../../support/pages.ts'
import { selectAndPay } from '../invoice-list.ts'
import { cardFields, EMAIL, fill, HOLDER } from './forms.ts'
import { CARDS, pinch } from './pinch.driver.ts'
import { createProviderPayer, type ProviderPayer } from './provider-payer.ts'
import { setPaymentOptions } from './provider-settings.ts'

const { openPage } = usePages()

let payer: ProviderPayer
beforeAll(async () => {
  await setPaymentOptions(pinch, { receipts: 'off' })
  payer = await createProviderPayer(pinch, 2)
})
afterAll(() => setPaymentOptions(pinch, { receipts: 'on' }))

test('[SP-02][SP-04][PM-60] pinch: without receipts the address is asked for all the same, and none is promised', async () => {
  const page = await openPage()
  await page.goto(await payer.payPath(payer.numbers[1] ?? ''))
  await fill(page, { 'Name on card': HOLDER, ...cardFields(CARDS.visa) })
  await expect(page.getByLabel('Email for the receipt')).toHaveCount(0)
  const pay = page.getByRole('button', { name: /^Pay/ })
  await expect(pay).toBeDisabled()
  await fill(page, { Email: EMAIL })
  await pay.click()
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible()
  await expect(page.getByText('Receipt will be delivered')).toHaveCount(0)
})

test('[BP-02][PM-60] pinch: without a stored method each invoice leads to the page that takes a new card', async () => {
  const [number = ''] = payer.numbers
  const page = await openPage()
  await enter(page, payer.username, payer.password, '/invoices')
  await selectAndPay(page, [number])
  await page.getByRole('region', { name: 'Payment summary' }).getByRole('link', { name: number, exact: true }).click()
  await expect(page.getByRole('heading', { name: `Pay ${number}` })).toBeVisible()
  await expect(page.getByLabel('Card number')).toBeVisible()
})
