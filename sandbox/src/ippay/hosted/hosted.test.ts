import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../../test/launch-browser.ts'
import { hostedUrl, newTransactionId, startTestIPpay, type TestIPpay } from '../test/test-ippay.ts'

let ippay: TestIPpay
let browser: Browser
let shop: Server
let page: Page
let returned: Record<string, string>[] = []

beforeAll(async () => {
  ippay = await startTestIPpay()
  browser = await launchBrowser()
  shop = createServer(async (request, response) => {
    // A browser may ask for an icon too.
    if (request.method === 'POST') returned.push(Object.fromEntries(new URLSearchParams(await text(request))))
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Shop</title><h1>Back</h1>')
  })
  shop.listen(0, '127.0.0.1')
  await once(shop, 'listening')
})
beforeEach(async () => {
  returned = []
  page = await browser.newPage()
})
afterEach(async () => {
  await page.close()
})
afterAll(async () => {
  await browser.close()
  shop.closeAllConnections()
  shop.close()
  await ippay.stop()
})

const open = async (change: Readonly<Record<string, string>> = {}): Promise<string> => {
  const jp_tid = newTransactionId()
  const retUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/return`
  await page.goto(hostedUrl(ippay.url, { jp_tid, retUrl, ...change }).href)
  return jp_tid
}

const typeCard = async (number = '4000 3000 2000 1000'): Promise<void> => {
  await page.getByLabel('Cardholder').fill('Ada Payer')
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date (MM / YY)').fill('12 / 39')
  await page.getByLabel('Security code').fill('123')
}

const submit = async (): Promise<Record<string, string> | undefined> => {
  await page.getByRole('button').click()
  await page.getByRole('heading', { name: 'Back' }).waitFor()
  return returned[0]
}

test('a card becomes a token under the merchant’s TransactionID, and the outcome is posted to its address', async () => {
  const jp_tid = await open()
  await typeCard()
  await page.getByLabel('Email for the receipt').fill('ada@example.com')
  expect(await submit()).toEqual({
    jp_tid,
    order_number: 'INV-1',
    ActionCode: '000',
    ResponseText: 'TOKENIZED',
    Token: expect.stringMatching(/^4.*1000$/),
    CardExpMonth: '12',
    CardExpYear: '39',
    CardName: 'Ada Payer',
    Email: 'ada@example.com',
  })
  expect((await ippay.call('ENQ', { TransactionID: jp_tid })).fields).toMatchObject({
    ResponseText: 'TOKENIZED',
    Token: returned[0]?.['Token'],
  })
  expect(await ippay.ledger()).toEqual([])
})

test('a form that is sent twice makes one token: the first', async () => {
  const jp_tid = await open()
  await typeCard()
  const first = await submit()
  await open({ jp_tid })
  await typeCard('5454545454545454')
  await submit()
  expect(returned.map(({ Token }) => Token)).toEqual([first?.['Token'], first?.['Token']])
})

test.each([
  ['4000300020001103', 'AFS-103', true],
  ['4000300020001208', '005', false],
])('card %s posts %s, with a token: %s', async (number, code, hasToken) => {
  await open()
  await typeCard(number)
  const fields = await submit()
  expect([fields?.['ActionCode'], fields?.['Token'] !== undefined]).toEqual([code, hasToken])
})

test('an account is entered in its own fields', async () => {
  await open({ pay_type: 'ACH' })
  await page.getByLabel('Account holder').fill('Ada Payer')
  await page.getByLabel('Routing number').fill('071025661')
  await page.getByLabel('Account number').fill('11111999')
  expect(await submit()).toMatchObject({ ActionCode: '000', ABA: '071025661', Token: expect.stringMatching(/1999$/) })
})

test('what is missing or wrong is told at its field, and what was typed stays, except the security code', async () => {
  await open({ fields: 'name,email,address', required: 'name,address' })
  await page.getByLabel('Card number').fill('4111111111111112')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button').click()
  await page.getByText('This is not the number of a card.').waitFor()
  expect(await page.getByRole('alert').allTextContents()).toEqual([
    'Cardholder is missing.',
    'This is not the number of a card.',
    'Expiry date (MM / YY) is missing.',
    'Address is missing.',
    'City is missing.',
    'State is missing.',
    'Zip is missing.',
    'Country is missing.',
  ])
  expect(await page.getByLabel('Card number').inputValue()).toBe('4111111111111112')
  expect(await page.getByLabel('Security code').inputValue()).toBe('')
  expect(returned).toEqual([])
})

test('a page that its merchant has not signed is refused', async () => {
  const url = hostedUrl(ippay.url)
  url.searchParams.set('retUrl', 'http://127.0.0.1:9/another')
  expect((await fetch(url)).status).toBe(400)
  expect((await fetch(url, { method: 'POST', body: url.searchParams })).status).toBe(400)
})

test('faults of the page and of its tokenisation happen', async () => {
  await ippay.fault('hosted', 'error')
  expect((await fetch(hostedUrl(ippay.url))).status).toBe(503)
  await open()
  await typeCard()
  await ippay.fault('tokenise', 'decline')
  expect(await submit()).toMatchObject({ ActionCode: '005' })
})
