import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../../test/launch-browser.ts'
import { newOrderId, startTestMoneris, type TestMoneris } from '../test/test-moneris.ts'

let moneris: TestMoneris
let browser: Browser
let shop: Server
let page: Page

beforeAll(async () => {
  moneris = await startTestMoneris()
  browser = await launchBrowser()
  shop = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Shop</title><h1>Shop</h1>')
  })
  shop.listen(0, 'localhost')
  await once(shop, 'listening')
})
beforeEach(async () => {
  page = await browser.newPage()
  await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`)
})
afterEach(async () => {
  await page.close()
})
afterAll(async () => {
  await browser.close()
  shop.closeAllConnections()
  shop.close()
  await moneris.stop()
})

const ALL_FIELDS = 'id=htprofile&pmmsg=true&enable_exp=1&enable_cvd=1&display_labels=1'

const openFrame = async (query: string): Promise<FrameLocator> => {
  await page.evaluate(`new Promise((resolve) => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    frame.onload = resolve
    frame.src = ${JSON.stringify(`${moneris.url}/moneris/HPPtoken/index.php?${query}`)}
  })`)
  return page.frameLocator('iframe')
}

/** Says `tokenize` to the frame, and returns the origin and the data of its answer. */
const tokenize = async (): Promise<{ origin: string; data: string }> =>
  page.evaluate(`new Promise((resolve) => {
    addEventListener('message', ({ origin, data }) => resolve({ origin, data }), { once: true })
    document.querySelector('iframe').contentWindow.postMessage('tokenize', ${JSON.stringify(moneris.url)})
  })`)

const typeCard = async (frame: FrameLocator, pan = '4242 4242 4242 4242', exp = '1229', cvd = '999'): Promise<void> => {
  await frame.getByLabel('Card number').fill(pan)
  await frame.getByLabel('Expiry date (MMYY)').fill(exp)
  await frame.getByLabel('CVD').fill(cvd)
}

test('the fields make a token, which pays once with the security code that was typed', async () => {
  const frame = await openFrame(ALL_FIELDS)
  await typeCard(frame)
  const { origin, data } = await tokenize()
  expect(origin).toBe(moneris.url)
  expect(JSON.parse(data)).toEqual({
    responseCode: ['001'],
    errorMessage: null,
    dataKey: expect.stringMatching(/^ot-[A-Za-z0-9]{25}$/),
    bin: '424242',
  })
  const { dataKey } = JSON.parse(data) as { dataKey: string }
  const pay = async () => moneris.call('res_purchase_cc', { data_key: dataKey, order_id: newOrderId(), amount: '25.00', crypt_type: '7' })
  expect(await pay()).toMatchObject({ ResponseCode: '027', CvdResultCode: '1N', 'ResolveData.expdate': '2912' })
  expect(await pay()).toMatchObject({ Complete: 'false' })
})

test('the number alone is answered with one code, not with a list', async () => {
  const frame = await openFrame('id=htprofile&pmmsg=true')
  await frame.getByLabel('Card number').fill('5454545454545454')
  const message = JSON.parse((await tokenize()).data) as { responseCode: string; dataKey: string }
  expect(message.responseCode).toBe('001')
  const elements = { data_key: message.dataKey, expdate: '2912', crypt_type: '7' }
  expect(await moneris.call('res_add_token', elements)).toMatchObject({ 'ResolveData.masked_pan': '5454***5454' })
})

test('wrong fields are named by their codes', async () => {
  const frame = await openFrame(ALL_FIELDS)
  await typeCard(frame, '4242424242424241', '1320', '1')
  expect(JSON.parse((await tokenize()).data)).toMatchObject({ responseCode: ['943', '944', '945'], dataKey: null })
  await typeCard(frame, '4242424242424242', '0120', '123')
  expect(JSON.parse((await tokenize()).data)).toMatchObject({ responseCode: ['944'], errorMessage: 'Invalid expiry date' })
})

test('a wrong profile is answered with 940, and a failing call with 941', async () => {
  await typeCard(await openFrame(ALL_FIELDS.replace('htprofile', 'wrongprofile')))
  expect(JSON.parse((await tokenize()).data)).toMatchObject({ responseCode: ['940'] })
  await page.evaluate(`document.querySelector('iframe').remove()`)
  await typeCard(await openFrame(ALL_FIELDS))
  for (const kind of ['error', 'garbage']) {
    await moneris.orderFault('tokenise', kind)
    expect(JSON.parse((await tokenize()).data)).toMatchObject({ responseCode: ['941'] })
  }
  await moneris.orderFault('tokenise', 'decline')
  expect(JSON.parse((await tokenize()).data)).toMatchObject({ responseCode: ['943'] })
})

test('fields have labels for screen readers and their own style, even when the labels are not shown', async () => {
  const frame = await openFrame('id=htprofile&enable_cvd=1&css_textbox=color:rgb(1,2,3)&pan_label=Your%20card')
  await expect(frame.getByLabel('Your card').evaluate((input) => getComputedStyle(input).color)).resolves.toBe('rgb(1, 2, 3)')
  expect(await frame.getByRole('textbox', { name: 'CVD' }).count()).toBe(1)
})
