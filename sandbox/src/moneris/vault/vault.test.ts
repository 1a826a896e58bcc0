import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOrderId, purchaseOf, type Receipt, startTestMoneris, type TestMoneris, VISA } from '../test/test-moneris.ts'

let moneris: TestMoneris
let now = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  moneris = await startTestMoneris({ clock: () => now })
})
afterAll(async () => {
  await moneris.stop()
})

const CONTACT = { cust_id: 'customer-1', phone: '555-0100', email: 'a@b.example', note: 'first' }

const addCard = async (store = 'store1'): Promise<string> =>
  (await moneris.call('res_add_cc', { ...CONTACT, ...VISA, crypt_type: '7' }, { store }))['DataKey'] ?? ''

const lookUp = async (data_key: string, name = 'res_lookup_masked'): Promise<Receipt> => moneris.call(name, { data_key })

const payByKey = async (data_key: string, order_id = newOrderId()): Promise<Receipt> =>
  moneris.call('res_purchase_cc', { data_key, order_id, amount: '25.00', crypt_type: '7' })

test('an update changes what was sent only', async () => {
  const data_key = await addCard()
  expect(await moneris.call('res_update_cc', { data_key, email: 'c@d.example', expdate: '3001' })).toMatchObject({
    Message: 'Successfully updated CC details.',
    DataKey: data_key,
    'ResolveData.phone': '555-0100',
    'ResolveData.email': 'c@d.example',
    'ResolveData.expdate': '3001',
    'ResolveData.masked_pan': '4242***4242',
  })
})

test('a deleted card, an unknown one and one of another store cannot be used', async () => {
  const [data_key, elsewhere] = [await addCard(), await addCard('store2')]
  expect(await moneris.call('res_delete', { data_key })).toMatchObject({ Message: 'Successfully deleted CC details.', ResponseCode: '001' })
  for (const key of [data_key, elsewhere, 'unknown'])
    for (const answer of [await lookUp(key), await payByKey(key), await moneris.call('res_delete', { data_key: key })])
      expect(answer).toMatchObject({ Message: 'Invalid data_key parameter', ResSuccess: 'false', Complete: 'false', ResponseCode: 'null' })
})

test('a number that is no test card is not stored', async () => {
  expect(await moneris.call('res_add_cc', { pan: '4000056655665556', expdate: '2912', crypt_type: '7' })).toMatchObject({
    Message: 'Invalid pan parameter',
    DataKey: 'null',
  })
})

test('a stored card is verified', async () => {
  const data_key = await addCard()
  const verified = await moneris.call('res_card_verification_cc', {
    data_key,
    order_id: newOrderId(),
    crypt_type: '7',
    expdate: '2912',
    cvd_info: { cvd_indicator: '1', cvd_value: '998' },
  })
  expect(verified).toMatchObject({ ResponseCode: '027', TransType: '06', CvdResultCode: '1P', DataKey: data_key })
})

test('the card of a payment is stored, with its issuer id on request', async () => {
  const credential = { payment_indicator: 'C', payment_information: '0', issuer_id: '' }
  const paid = await moneris.call('purchase', { ...purchaseOf('25.00'), cof_info: credential })
  const elements = { order_id: paid['ReceiptId'] ?? '', txn_number: paid['TransID'] ?? '', phone: '1', return_issuer_id: 'true' }
  const added = await moneris.call('res_tokenize_cc', elements)
  expect(added).toMatchObject({ ResponseCode: '001', IssuerId: paid['IssuerId'], 'ResolveData.phone': '1' })
  expect(await payByKey(added['DataKey'] ?? '')).toMatchObject({ ResponseCode: '027' })
  expect(await moneris.call('res_tokenize_cc', { ...elements, txn_number: '0' })).toMatchObject({ Complete: 'false' })
})

const temporaryToken = async (duration = '900'): Promise<string> =>
  (await moneris.call('res_temp_add', { ...VISA, crypt_type: '7', duration }))['DataKey'] ?? ''

test('a temporary token ends after its duration, which is at most fifteen minutes', async () => {
  expect(await temporaryToken('901')).toBe('null')
  const [short, long] = [await temporaryToken('60'), await temporaryToken()]
  now += 60_000
  expect(await payByKey(short)).toMatchObject({ Message: 'Invalid data_key parameter' })
  expect(await payByKey(long)).toMatchObject({ ResponseCode: '027' })
})

test('a verification and a duplicate order id leave a temporary token usable', async () => {
  const [data_key, order] = [await temporaryToken(), newOrderId()]
  expect(await moneris.call('res_card_verification_cc', { data_key, order_id: order, crypt_type: '7' })).toMatchObject({
    ResponseCode: '027',
  })
  expect(await payByKey(data_key, order)).toMatchObject({ Complete: 'false', ResSuccess: 'true' })
  expect(await payByKey(data_key)).toMatchObject({ ResponseCode: '027' })
})

test('cards that expire this month or next are listed', async () => {
  const store = 'expiring'
  for (const expdate of ['2610', '2611', '2612', '2701'])
    await moneris.call('res_add_cc', { pan: VISA.pan, expdate, crypt_type: '7' }, { store })
  const { text } = await moneris.post(
    `<request><store_id>${store}</store_id><api_token>t</api_token><res_get_expiring></res_get_expiring></request>`,
  )
  expect([...text.matchAll(/<expdate>(\d+)<\/expdate>/g)].map(([, expdate]) => expdate).toSorted()).toEqual(['2611', '2612'])
  expect(text).toContain('<ResolveData><data_key>')
})

test('a reset removes payments and keeps stored cards', async () => {
  const data_key = await addCard()
  await payByKey(data_key, 'before-reset')
  await moneris.postControl('/reset')
  expect(await moneris.bookings()).toEqual([])
  expect(await payByKey(data_key, 'before-reset')).toMatchObject({ ResponseCode: '027' })
})
