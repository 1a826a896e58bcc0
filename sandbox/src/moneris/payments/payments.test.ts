import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newOrderId, purchaseOf, type Receipt, startTestMoneris, type TestMoneris, VISA } from '../test/test-moneris.ts'

let moneris: TestMoneris

beforeAll(async () => {
  moneris = await startTestMoneris()
})
afterEach(async () => {
  await moneris.postControl('/reset')
})
afterAll(async () => {
  await moneris.stop()
})

const pay = async (amount: string, orderId = newOrderId(), store = 'store1'): Promise<Receipt> =>
  moneris.call('purchase', purchaseOf(amount, orderId), { store })

const idsOf = ({ ReceiptId = '', TransID = '' }: Receipt) => ({ order_id: ReceiptId, txn_number: TransID, crypt_type: '7' })
const refund = async (paid: Receipt, amount: string): Promise<Receipt> => {
  const { order_id, txn_number, crypt_type } = idsOf(paid)
  return moneris.call('refund', { order_id, amount, txn_number, crypt_type })
}
const correct = async (paid: Receipt): Promise<Receipt> => moneris.call('purchasecorrection', idsOf(paid))

const DUPLICATE = 'The transaction was not sent to the host because of a duplicate order id'

test('an order id is used once in a store, even for a decline, and another store may use it too', async () => {
  expect(await pay('2.05', 'once')).toMatchObject({ ResponseCode: '481', ISO: '05', AuthCode: '000000' })
  expect(await pay('25.00', 'once')).toMatchObject({ Message: DUPLICATE, ResponseCode: 'null', Complete: 'false', ResSuccess: 'true' })
  expect(await pay('25.00', 'once', 'store2')).toMatchObject({ ResponseCode: '027' })
  expect(await moneris.bookings()).toEqual([['succeeded', 2500]])
})

test.each([
  ['5454545454545454', 'M'],
  ['373599005095005', 'AX'],
  ['36462462742008', 'DC'],
])('the card %s has the type %s and knows no Visa amounts', async (pan, cardType) => {
  const paid = await moneris.call('purchase', purchaseOf('55.00', newOrderId(), { ...VISA, pan }))
  expect(paid).toMatchObject({ ResponseCode: '027', CardType: cardType })
})

test('an expired card and a number that is no test card are declined', async () => {
  expect(await moneris.call('purchase', purchaseOf('25.00', newOrderId(), { ...VISA, expdate: '2610' }))).toMatchObject({
    ResponseCode: '482',
  })
  expect(await moneris.call('purchase', purchaseOf('25.00', newOrderId(), { ...VISA, pan: '4000056655665556' }))).toMatchObject({
    ResponseCode: '477',
  })
})

const AVS = { avs_street_number: '1234', avs_street_name: 'Anystreet', avs_zipcode: 'K1C2N6' }
const CVD = { cvd_indicator: '1', cvd_value: '123' }

test.each([
  ['10.10', 'A', '1M', '027'],
  ['10.12', 'U', '1M', '027'],
  ['10.19', 'R', '1M', '027'],
  ['10.24', 'null', '1M', '481'],
  ['10.32', 'Y', '1N', '027'],
  ['10.36', 'Y', '1M', '481'],
  ['10.40', 'Z', '1S', '027'],
])('%s with address and security code is answered with %s, %s and %s', async (amount, avs, cvd, code) => {
  const paid = await moneris.call('purchase', { ...purchaseOf(amount), avs_info: AVS, cvd_info: CVD })
  expect(paid).toMatchObject({ AvsResultCode: avs, CvdResultCode: cvd, ResponseCode: code })
})

test('without address and security code the amounts for them mean nothing', async () => {
  expect(await pay('10.24')).toMatchObject({ ResponseCode: '027', AvsResultCode: 'null', CvdResultCode: 'null' })
})

test('another store, another order id and a declined purchase cannot be taken back', async () => {
  const paid = await pay('25.00')
  const message = 'No Pre-auth corresponds to the store Id and order Id and transaction Id entered'
  expect(await moneris.call('purchasecorrection', idsOf(paid), { store: 'store2' })).toMatchObject({ Message: message, Complete: 'false' })
  expect(await correct({ ...paid, ReceiptId: 'other' })).toMatchObject({ Message: message })
  expect(await correct(await pay('2.05'))).toMatchObject({ Message: message })
})

test('totals count the open batch by card type, and closing it starts the next', async () => {
  const store = 'totals'
  const paid = await pay('25.00', newOrderId(), store)
  await pay('2.05', newOrderId(), store)
  await moneris.call(
    'refund',
    { order_id: paid['ReceiptId'] ?? '', amount: '5.00', txn_number: paid['TransID'] ?? '', crypt_type: '7' },
    { store },
  )
  const expected = {
    'BankTotals.ECR.term_id': '66002163',
    'BankTotals.ECR.Card.CardType': 'V',
    'BankTotals.ECR.Card.Purchase.Count': '1',
    'BankTotals.ECR.Card.Purchase.Amount': '25.00',
    'BankTotals.ECR.Card.Refund.Amount': '5.00',
    'BankTotals.ECR.Card.Correction.Count': '0',
  }
  const totals = async (name: string) => moneris.call(name, { ecr_number: '66002163' }, { store })
  expect(await totals('opentotals')).toMatchObject({ ...expected, Complete: 'true', 'BankTotals.ECR.closed': 'false' })
  expect(await totals('batchclose')).toMatchObject({ ...expected, 'BankTotals.ECR.closed': 'true' })
  expect(await totals('opentotals')).not.toHaveProperty('BankTotals.ECR.Card.CardType')
})

test('a status check finds refunds of the same amount, voids and verifications', async () => {
  const isStatusCheck = true
  const paid = await pay('25.00')
  const refunded = await refund(paid, '10.00')
  const { order_id, txn_number, crypt_type } = idsOf(paid)
  const checkRefund = async (amount: string) => moneris.call('refund', { order_id, amount, txn_number, crypt_type }, { isStatusCheck })
  expect(await checkRefund('10.00')).toMatchObject({ TransID: refunded['TransID'], TransType: '04', status_code: '0' })
  expect(await checkRefund('11.00')).toMatchObject({ status_code: '50' })
  const other = await pay('25.00')
  expect(await moneris.call('purchasecorrection', idsOf(other), { isStatusCheck })).toMatchObject({ status_code: '50' })
  const voided = await correct(other)
  expect(await moneris.call('purchasecorrection', idsOf(other), { isStatusCheck })).toMatchObject({ TransID: voided['TransID'] })
  const elements = { order_id: newOrderId(), ...VISA, crypt_type: '7' }
  const verified = await moneris.call('card_verification', elements)
  expect(await moneris.call('card_verification', elements, { isStatusCheck })).toMatchObject({ TransID: verified['TransID'] })
})

test('fifty concurrent purchases with one order id move the money once', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, async () => pay('25.00', 'fifty')))
  expect(answers.filter(({ ResponseCode }) => ResponseCode === '027')).toHaveLength(1)
  expect(await moneris.bookings()).toEqual([['succeeded', 2500]])
})

test('payments and their order ids survive a restart', async () => {
  const first = await startTestMoneris({ dir: `${moneris.dir}-again` })
  const paid = await first.call('purchase', purchaseOf('25.00', 'restart'))
  await first.stop()
  const second = await startTestMoneris({ dir: first.dir })
  expect(await second.call('purchase', purchaseOf('25.00', 'restart'))).toMatchObject({ Message: DUPLICATE })
  expect(await second.call('purchase', purchaseOf('25.00', 'restart'), { isStatusCheck: true })).toMatchObject(paid)
  expect((await second.call('purchase', purchaseOf('25.00')))['TransID']).not.toBe(paid['TransID'])
  await second.stop()
  await rm(first.dir, { recursive: true })
})
