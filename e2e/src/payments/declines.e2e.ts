import type { Page } from 'playwright-core'
import { beforeAll, describe, test } from 'vitest'
import { enter } from '../support/browser.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { fetchInvoice } from './invoice-list.ts'
import { typeCard as typeNexioCard, typePayer } from './nexio/nexio-cards.ts'
import { createPayer } from './payer.ts'
import { typeCard as typePinchCard } from './pinch/pinch-methods.ts'
import { readLedger } from './sandbox-ledger.ts'

const { openPage } = usePages()

const DECLINED = 'The payment was declined. Please use another payment method, or ask your bank.'
const EXPIRED = 'The card has expired. Please use another card.'
const WRONG_CODE = 'The security code of the card is not right. Please check it.'
const POOR = 'The account has not enough funds. Please use another payment method.'

/** A value that a provider's documents list: an amount or a security code, and what the payer then reads. */
interface TestValue {
  readonly amount?: string
  readonly code?: string
  readonly says: string
}

interface ProviderCase {
  readonly name: string
  readonly reseller: Parameters<typeof createPayer>[2]
  readonly type: number
  readonly typeForm: (page: Page, value: TestValue) => Promise<void>
  readonly values: readonly TestValue[]
}

const amounts = (says: string, ...list: string[]): TestValue[] => list.map((amount) => ({ amount, says }))

/** Those of Stripe, Authorize.net, Moneris, IPpay and BPOINT's code are tested beside their other payments. */
const PROVIDERS: readonly ProviderCase[] = [
  {
    name: 'nexio',
    reseller: 3008,
    type: 8,
    typeForm: async (page, { code = '123' }) => {
      await typeNexioCard(page, { code })
      await typePayer(page)
    },
    values: [{ code: '999', says: WRONG_CODE }, ...amounts(DECLINED, '110.05'), ...amounts(POOR, '110.51'), ...amounts(EXPIRED, '110.54')],
  },
  {
    name: 'pinch',
    reseller: 3007,
    type: 6,
    typeForm: async (page) => {
      await typePinchCard(page)
      await page.getByLabel(/^Email/).fill('ada@payer.example')
    },
    values: [
      ...amounts(DECLINED, '110.05'),
      ...amounts(POOR, '110.51'),
      ...amounts('This payment method cannot be used. Please check its details, or use another one.', '110.54'),
      ...amounts('The payment could not be made. Please try again later.', '110.91', '110.97'),
    ],
  },
]

describe.each(PROVIDERS)('$name', ({ name, reseller, type, typeForm, values }) => {
  const payLinks: string[] = []
  beforeAll(async () => {
    const listed = values.map(({ amount = '110.00' }) => amount)
    const { username, password, numbers } = await createPayer(testEnvironment().dataDir, listed.length, reseller, listed)
    const owner = await openPage()
    await enter(owner, username, password, '/invoices')
    for (const number of numbers) payLinks.push(`/pay/${(await fetchInvoice(owner, number)).payToken}`)
    await owner.context().close()
  })

  test(`[SP-02][SP-04] type ${type}, ${name}: every listed test value is declined in its words, and charges nothing`, async () => {
    const page = await openPage()
    for (const [at, value] of values.entries()) {
      await page.goto(payLinks[at] ?? '')
      await page.getByLabel('Name on card').fill('Ada Payer')
      await typeForm(page, value)
      const before = await readLedger(page, testEnvironment().sandboxUrl)
      await page.getByRole('button', { name: /^Pay/ }).click()
      await expect(page.getByText(value.says), JSON.stringify(value)).toBeVisible()
      const charged = (entries: typeof before) => entries.filter(({ status }) => status === 'succeeded').length
      expect(charged(await readLedger(page, testEnvironment().sandboxUrl))).toBe(charged(before))
    }
  })
})
