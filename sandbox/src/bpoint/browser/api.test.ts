import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../test/launch-browser.ts'
import { bank, card, startTestBpoint, type TestBpoint } from '../test/test-bpoint.ts'

let bpoint: TestBpoint
let shop: Server
let browser: Browser
let page: Page

beforeAll(async () => {
  bpoint = await startTestBpoint()
  shop = createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src ${bpoint.url}; connect-src ${bpoint.url}`,
    })
    response.end(`<!doctype html><title>Shop</title><script src="${bpoint.url}/bpoint/rest/clientscripts/api.js"></script>`)
  })
  shop.listen(0, 'localhost')
  await once(shop, 'listening')
  browser = await launchBrowser()
  page = await browser.newPage()
  await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`)
})
afterAll(async () => {
  await browser.close()
  shop.closeAllConnections()
  shop.close()
  await bpoint.stop()
})

/** What the callback gets: a code and data. */
const attach = (kind: 'txn' | 'token', key: string, method: object): Promise<[string, Record<string, unknown>]> =>
  page.evaluate(
    `new Promise((resolve) => BPOINT.${kind}.authkey.attachPaymentMethod('${key}', ${JSON.stringify(method)}, (...all) => resolve(all)))`,
  )
const requestAuthKey = async (kind: string): Promise<string> => (await bpoint.call('POST', `/${kind}/authkeys`, {})).body.authkey

test('a page of another site attaches a card and an account, and the server processes the key', async () => {
  const key = await requestAuthKey('txns')
  await bpoint.call('PUT', `/txns/authkeys/${key}/txn-details`, { amount: 100, crn1: '7' })
  expect((await attach('txn', key, card()))[0]).toBe('success')
  expect((await bpoint.call('POST', `/txns/authkeys/${key}/process`, {})).body.txn.responseCode).toBe('0')
  const tokenKey = await requestAuthKey('tokens')
  expect((await attach('token', tokenKey, bank()))[0]).toBe('success')
  expect((await bpoint.call('POST', `/tokens/authkeys/${tokenKey}/process`, {})).body.token.paymentMethod.bank.bsb).toBe('062000')
})

test('what is wrong is told to the page, with the first detail', async () => {
  const [code, data] = await attach('txn', await requestAuthKey('txns'), card({ number: '5123456789012345' }))
  expect([code, data]).toMatchObject(['error', { code: 'InvalidFields', details: [{ message: 'Card number is invalid' }] }])
  expect(await attach('token', 'none', card())).toEqual(['error', { code: 'NotFound', message: 'Authkey not found' }])
})

test('faults of attaching reach the page', async () => {
  // A browser sends again what broke off on a connection that it has used before.
  for (const kind of ['error', 'drop', 'garbage']) {
    await bpoint.postControl('/faults', { provider: 'bpoint', operation: 'attach', kind, times: 3, booked: false })
    expect((await attach('txn', await requestAuthKey('txns'), card()))[0]).toBe('error')
    await bpoint.postControl('/reset')
  }
})
