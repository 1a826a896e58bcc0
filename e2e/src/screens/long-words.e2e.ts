import type { Page } from 'playwright-core'
import { beforeAll, test } from 'vitest'
import { fetchInvoice, payByCard } from '../payments/invoice-list.ts'
import { createPayer, type Payer } from '../payments/payer.ts'
import { enter, PHONE, signIn } from '../support/browser.ts'
import { runCli } from '../support/command-line.ts'
import { expect } from '../support/expect.ts'
import { usePages } from '../support/pages.ts'
import { testEnvironment } from '../support/test-environment.ts'
import { openBulkPaymentCard, openScreen, reloadAsStranger, SCREENS, waitForScreen } from './portal-screens.ts'

const { openPage } = usePages()

const LONG_WORD = 'W'.repeat(144)

/** The fields that operators and customers fill, with names, labels, numbers, descriptions and addresses of their own. */
const OWN_TEXT =
  /^(name|label|singular|plural|number|description|email|username|displayName|companyName|brandName|serviceName|productName|productLabel|bundleName|unitLabel|agreementName|siteName|siteLabel|InvoiceNumber|invoiceNumber|costCentre|reportName|recordType|serviceItem\w*|extraField\d|help(Email|Phone|Hours)|invoiceLabel\w*|endServiceItemDisplayName|paymentTypeDisclaimer|confirmationMessageForCharging|line[12]|address|city|state|zip|postalCode|reason|receiptEmail|fileName|requestedBy|nameOnAccount|bankName|accountHolderName)$/

/** Numbers of lines that are not invoices, by which the portal knows them. */
const FEE_LINE = /^(CREDIT_CARD|DIRECT_DEBIT)_FEE$/

const withLongWords = (value: unknown, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => withLongWords(item, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withLongWords(part, name)]))
  return typeof value === 'string' && value !== '' && !FEE_LINE.test(value) && OWN_TEXT.test(key) ? LONG_WORD : value
}

const NAMES: ReadonlySet<string> = new Set([
  'dashboard',
  'spending',
  'invoices',
  'transactions',
  'usage',
  'reports',
  'cost-centre',
  'service-items',
  'profile',
  'payment-types',
])
const screens = SCREENS.filter(({ name }) => NAMES.has(name))

let payer: Payer
beforeAll(async () => {
  payer = await createPayer(testEnvironment().dataDir, 2, 3001)
})

/** Answers of the server with one long word in place of each text of others. */
const lengthenWords = async (page: Page): Promise<void> => {
  await page.route(/\/v1\//, async (route) => {
    const answer = await route.fetch()
    const isJson = answer.headers()['content-type']?.includes('json') === true
    await route.fulfill({ response: answer, ...(isJson ? { json: withLongWords(await answer.json()) } : {}) })
  })
}

const expectNoWiderPage = async (page: Page, screen: string): Promise<void> => {
  await expect.poll(() => page.getByText(LONG_WORD).count(), screen).toBeGreaterThan(0)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), screen).toBe(PHONE.width)
}

test('[EASE-11] one long word in any text of others makes neither the sign-in page nor any screen of a phone wider', async () => {
  const page = await openPage({ viewport: PHONE })
  await lengthenWords(page)
  await page.goto('/login')
  await expectNoWiderPage(page, 'login')
  await enter(page, 'demo')
  for (const { name, path } of screens) {
    await openScreen(page, path)
    await expectNoWiderPage(page, name)
  }
})

test('[EASE-11][PAY-01] paying, inside, by a link and as a stranger, and what was paid: one long word makes nothing wider than a phone', async () => {
  const [number = ''] = payer.numbers
  const page = await openPage({ viewport: PHONE })
  await signIn(page, payer.username, payer.password)
  await lengthenWords(page)
  await page.goto('/invoices')
  await waitForScreen(page)
  const { payToken } = await fetchInvoice(page, number)
  await openBulkPaymentCard(page)
  await expectNoWiderPage(page, 'bulk payment')
  await page.goto(`/pay/${payToken}`)
  await page.getByLabel('Name on card').waitFor()
  await expectNoWiderPage(page, 'link')
  await reloadAsStranger(page)
  await expectNoWiderPage(page, 'link of a stranger')

  await payByCard(page, number, 'pm_card_visa')
  await page.reload()
  await expect(page.getByText('already been paid')).toBeVisible()
  await expectNoWiderPage(page, 'paid')
  await page.goto('/invoices')
  for (const name of [/^Details of/, /^Payments of/])
    for (const at of payer.numbers.keys()) await page.getByRole('button', { name }).nth(at).click()
  await expect(page.getByRole('region', { name: /^Payments of/ }).getByText('Paid')).toBeVisible()
  await expectNoWiderPage(page, 'history')
})

test('[EASE-11][AUTH-08] an invitation with one long word in every name is no wider than a phone, and neither is the page of its link', async () => {
  const { dataDir, sandboxUrl } = testEnvironment()
  const [username, email] = [LONG_WORD.toLowerCase(), 'long.words@example.com']
  const company = ['--company-name', LONG_WORD, '--phone', LONG_WORD.slice(0, 40), '--currency', 'AUD']
  const { id } = await runCli<{ id: number }>(dataDir, 'reseller', 'add', LONG_WORD, ...company)
  const of = ['--reseller', String(id)]
  await runCli(dataDir, 'brand', 'add', LONG_WORD, ...of)
  await runCli(dataDir, 'customer', 'add', LONG_WORD, '--external-id', 'L', '--brand', LONG_WORD, ...of)
  const person = ['--name', LONG_WORD, '--email', email, '--customer', 'L', '--brand', LONG_WORD]
  await runCli(dataDir, 'user', 'invite', username, ...person, ...of)
  const fetchMail = async () =>
    ((await (await fetch(`${sandboxUrl}/mail`)).json()) as { to: string; text: string; html: string }[]).find(({ to }) => to === email)
  await expect.poll(fetchMail).toBeDefined()
  const mail = await fetchMail()

  const page = await openPage({ viewport: PHONE })
  await page.setContent(mail?.html ?? '')
  await expectNoWiderPage(page, 'mail')
  await page.goto(/^\S+\/finish-registration\/\S+$/m.exec(mail?.text ?? '')?.[0] ?? '')
  await expect(page.getByText(`with which ${username}`)).toBeVisible()
  await expectNoWiderPage(page, 'registration')
})
