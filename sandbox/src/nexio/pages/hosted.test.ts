import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../../test/launch-browser.ts'
import { startTestNexio, type TestNexio } from '../test/test-nexio.ts'

let nexio: TestNexio
let browser: Browser
let shop: Server
let shopUrl: string
let page: Page

/** A page of another origin that frames the address in its query and collects the messages of the frame. */
const SHOP_PAGE = `<!doctype html><html lang="en"><title>Shop</title><script>
const messages = []
addEventListener('message', ({ data, origin }) => messages.push({ ...data, origin }))
addEventListener('DOMContentLoaded', () => {
  const frame = document.createElement('iframe')
  frame.src = new URLSearchParams(location.search).get('frame') ?? 'about:blank'
  frame.title = 'Payment'
  document.body.append(frame)
})
</script><body></body></html>`

beforeAll(async () => {
  nexio = await startTestNexio()
  browser = await launchBrowser()
  shop = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(SHOP_PAGE))
  shop.listen(0, 'localhost')
  await once(shop, 'listening')
  shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}/`
})
beforeEach(async () => {
  page = await (await browser.newContext()).newPage()
})
afterEach(async () => {
  await page.context().close()
  await nexio.postControl('/reset')
})
afterAll(async () => {
  await browser.close()
  shop.closeAllConnections()
  shop.close()
  await nexio.stop()
})

const DATA = { amount: 5.99, currency: 'USD', customer: { orderNumber: 'a:1' } }

const frameUrl = async (path: string, body: object): Promise<string> =>
  `${nexio.url}/nexio${path}?token=${(await nexio.call('POST', '/pay/v3/token', body)).body.token}`

/** Opens the shop with the hosted page in its frame. */
const openFrame = async (path: string, body: object = {}): Promise<FrameLocator> => {
  await page.goto(`${shopUrl}?frame=${encodeURIComponent(await frameUrl(path, body))}`)
  await messageOf('loaded')
  return page.frameLocator('iframe[title="Payment"]')
}

interface FrameMessage {
  readonly origin: string
  readonly data: Record<string, unknown> & { readonly isFormValid?: boolean }
}

/** Waits for the newest message of that event. */
const messageOf = async (event: string, isFormValid?: boolean): Promise<FrameMessage> =>
  (await (
    await page.waitForFunction(`messages.findLast(({ event, data }) => event === '${event}'
      && (${isFormValid} === undefined || data.isFormValid === ${isFormValid}))`)
  ).jsonValue()) as FrameMessage

const post = async (): Promise<unknown> =>
  page.evaluate(`(() => { const frame = document.querySelector('iframe'); frame.contentWindow.postMessage('posted', frame.src) })()`)

const typeCard = async (frame: FrameLocator, { number = '4111 1111 1111 1111', code = '123' } = {}): Promise<void> => {
  await frame.getByLabel('Name on card').fill('Sam Lu')
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiration month').fill('12')
  await frame.getByLabel('Expiration year').fill('2039')
  await frame.getByLabel('Security code').fill(code)
}

const typeAccount = async (frame: FrameLocator): Promise<void> => {
  await frame.getByLabel('Name on account').fill('Jane Doe')
  await frame.getByLabel('Routing number').fill('231375151')
  await frame.getByLabel('Account number').fill('000123456789')
}

test('the page of a card says whether it is complete, stores the card when asked, and tells the page around it', async () => {
  const frame = await openFrame('/pay/v3/saveCard')
  expect((await messageOf('formValidations', false)).data).toMatchObject({ number: false })
  await typeCard(frame)
  await messageOf('formValidations', true)
  await post()
  const { origin, data } = await messageOf('cardSaved')
  expect([origin, data]).toMatchObject([nexio.url, { token: { lastFour: '1111', cardType: 'visa' } }])
  const { token } = data['token'] as { token: string }
  expect((await nexio.call('GET', `/pay/v3/vault/card/${token}`)).status).toBe(200)
})

test('a declined card is reported with its error and shown to its owner', async () => {
  const frame = await openFrame('/pay/v3/saveCard', { card: { cardHolderName: 'Ann' }, uiOptions: { displaySubmitButton: true } })
  await frame.getByLabel('Name on card').and(frame.locator('[value="Ann"]')).waitFor()
  await typeCard(frame, { code: '999' })
  await frame.getByRole('button', { name: 'Submit' }).click()
  expect((await messageOf('error')).data).toMatchObject({ error: 437 })
  await frame.getByRole('alert').getByText('Verify CVC Failed').waitFor()
})

test('the page of a bank account stores it', async () => {
  const frame = await openFrame('/pay/v3/saveECheck')
  await typeAccount(frame)
  await post()
  expect((await messageOf('eCheckSaved')).data).toMatchObject({ token: { lastFour: '6789' } })
})

test('the pages of payments charge what the token’s request says', async () => {
  const card = await openFrame('/pay/v3', { data: DATA })
  await typeCard(card)
  await post()
  expect((await messageOf('processed')).data).toMatchObject({ transactionStatus: 'pending', amount: 5.99 })
  const bank = await openFrame('/pay/v3/processECheck', { data: { ...DATA, amount: 7 } })
  await typeAccount(bank)
  await post()
  expect((await messageOf('processed')).data).toMatchObject({ transactionStatus: 'pending', amount: 7 })
  expect(await nexio.ledger()).toMatchObject([
    { status: 'succeeded', amount: 599, reference: 'a:1', method: 'card' },
    { status: 'pending', amount: 700, reference: 'a:1', method: 'echeck' },
  ])
})

test('a payment that needs 3-D Secure goes on at the bank’s page and returns', async () => {
  const frame = await openFrame('/pay/v3', { data: DATA, processingOptions: { customerRedirectUrl: `${shopUrl}?returned=1` } })
  await typeCard(frame, { number: '4000000000003220' })
  await post()
  await frame.getByRole('button', { name: 'Complete' }).click()
  await page.waitForURL((url) => url.href.includes('frame='))
  await expect.poll(() => page.frames().map((one) => new URL(one.url()).searchParams.get('status'))).toContain('pending')
  expect(await nexio.ledger()).toMatchObject([{ status: 'succeeded', amount: 599 }])
})

test('a page needs a usable token', async () => {
  expect((await nexio.call('GET', '/pay/v3/saveCard')).status).toBe(401)
  expect((await nexio.call('GET', '/pay/v3/saveCard?token=none')).status).toBe(403)
})
