import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOrderId, purchaseOf, readReceipt, requestXml, startTestMoneris, type TestMoneris, VISA } from '../test/test-moneris.ts'

let moneris: TestMoneris

beforeAll(async () => {
  moneris = await startTestMoneris()
})
afterAll(async () => {
  await moneris.stop()
})

test.each(['text/xml', 'application/x-www-form-urlencoded', 'application/json', 'text/plain'])(
  'the gateway reads the raw body of the content type %s',
  async (contentType) => {
    const answer = await moneris.post(requestXml('purchase', purchaseOf('25.00')), contentType)
    expect([answer.status, answer.contentType]).toEqual([200, 'text/html'])
    expect(answer.text).toMatch(/^<\?xml version="1\.0"\?><response><receipt><ReceiptId>order-\d+<\/ReceiptId>/)
    expect(answer.text).toContain('<BankTotals>null</BankTotals>')
  },
)

test('a token with the word invalid, or an empty one, does not belong to the store', async () => {
  for (const token of ['invalid-token', ''])
    expect(await moneris.call('purchase', purchaseOf('25.00'), { token })).toMatchObject({
      ResponseCode: 'null',
      Complete: 'false',
      Message: 'API token mismatch',
    })
})

test.each([
  ['a form', 'order_id=1'],
  ['nothing', ''],
  ['XML with an unescaped ampersand', requestXml('purchase', purchaseOf('25.00', 'a & b'))],
  ['XML with an unclosed element', '<request><store_id>store1</store_id>'],
  ['XML with a document type', `<!DOCTYPE request [<!ENTITY a "b">]>${requestXml('opentotals', { ecr_number: '1' }).slice(21)}`],
])('a body of %s is not processed', async (_name, body) => {
  expect(readReceipt((await moneris.post(body)).text)).toMatchObject({ Complete: 'false', ReceiptId: 'Global Error Receipt' })
})

test('escaped characters are read and written back', async () => {
  const answer = await moneris.post(requestXml('purchase', purchaseOf('25.00', 'a&amp;b&lt;&#233;')))
  expect(readReceipt(answer.text)).toMatchObject({ ReceiptId: 'a&b<é', Complete: 'true' })
})

const { order_id: _orderId, ...WITHOUT_ORDER } = purchaseOf('25.00')

test.each([
  ['Invalid pan parameter', { pan: '4242424242424241' }],
  ['Invalid pan parameter', { pan: '' }],
  ['Invalid pan parameter', { pan: '4242 4242 4242 4242' }],
  ['Invalid expiry date', { expdate: '1229' }],
  ['Invalid expiry date', { expdate: '' }],
  ['Invalid amount parameter', { amount: '25' }],
  ['Invalid amount parameter', { amount: '25.0' }],
  ['Invalid amount parameter', { amount: '-25.00' }],
  ['Invalid amount parameter', { amount: '1234567.00' }],
  ['Invalid crypt_type parameter', { crypt_type: '' }],
  ['Invalid order_id parameter', { order_id: 'x'.repeat(51) }],
  // The first wrong element in the SDK's order is named.
  ['Invalid amount parameter', { amount: 'x', pan: 'x', expdate: 'x' }],
])('%s is the answer to %j', async (message, elements) => {
  expect(await moneris.call('purchase', { ...purchaseOf('25.00'), ...elements })).toMatchObject({
    Message: message,
    ResponseCode: 'null',
    Complete: 'false',
  })
})

test.each([
  ['Unknown element colour in purchase', { ...purchaseOf('25.00'), colour: 'red' }],
  ['Unknown element avs_city in avs_info', { ...purchaseOf('25.00'), avs_info: { avs_city: 'Ottawa' } }],
  ['Element order_id is out of order in purchase', { ...WITHOUT_ORDER, order_id: 'late' }],
  ['Invalid order_id parameter', WITHOUT_ORDER],
  ['Invalid cvd_value parameter', { ...purchaseOf('25.00'), cvd_info: { cvd_indicator: '1', cvd_value: '12' } }],
])('%s', async (message, elements) => {
  expect(await moneris.call('purchase', elements)).toMatchObject({ Message: message, Complete: 'false' })
})

test('a block that is there twice is rejected', async () => {
  const block = '<convfee_info><convenience_fee>1.00</convenience_fee></convfee_info>'
  const body = requestXml('purchase', purchaseOf('25.00')).replace('</purchase>', `${block}${block}</purchase>`)
  expect(readReceipt((await moneris.post(body)).text)).toMatchObject({ Message: 'Element convfee_info is out of order in purchase' })
})

test('customer details and convenience fees are read over', async () => {
  const elements = { ...purchaseOf('25.00'), cust_info: { email: 'a@b.example' }, convfee_info: { convenience_fee: '1.00' } }
  expect(await moneris.call('purchase', elements)).toMatchObject({ ResponseCode: '027', TransAmount: '25.00' })
})

test('an unknown transaction and a status check of the vault are not processed', async () => {
  expect(await moneris.call('ach_debit', {})).toMatchObject({ Message: 'Invalid transaction', Complete: 'false' })
  const elements = { ...VISA, crypt_type: '7' }
  expect(await moneris.call('res_add_cc', elements, { isStatusCheck: true })).toMatchObject({ Complete: 'false' })
})

test('a rejected request does not use up its order id', async () => {
  const order = newOrderId()
  expect(await moneris.call('purchase', purchaseOf('25', order))).toMatchObject({ Complete: 'false' })
  expect(await moneris.call('purchase', purchaseOf('25.00', order))).toMatchObject({ ResponseCode: '027' })
})
