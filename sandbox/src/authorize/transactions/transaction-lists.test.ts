import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestAuthorize, type TestAuthorize } from '../test/test-authorize.ts'

let authorize: TestAuthorize
let now = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  authorize = await startTestAuthorize({ clock: () => now })
})
afterEach(async () => {
  await authorize.postControl('/reset')
})
afterAll(async () => {
  await authorize.stop()
})

const NO_RECORDS = { resultCode: 'Ok', message: [{ code: 'I00004', text: 'No records found.' }] }
const listUnsettled = async (fields: object = {}, loginId?: string) => authorize.call('getUnsettledTransactionListRequest', fields, loginId)
const transIds = ({ transactions }: { transactions: { transId: string }[] }) => transactions.map(({ transId }) => transId)
const pay = async (fields = {}) => {
  now += 1000
  return (await authorize.pay(fields)).transactionResponse.transId as string
}

test('the unsettled transactions come newest first, in pages, with what a match needs', async () => {
  expect(await listUnsettled()).toMatchObject({ totalNumInResultSet: 0, messages: NO_RECORDS })
  const [first, second, third] = [await pay(), await pay({ amount: '5.55', invoiceNumber: 'att-2' }), await pay({ zip: '46282' })]
  const all = await listUnsettled()
  expect([transIds(all), all.totalNumInResultSet]).toEqual([[third, second, first], 3])
  expect(all.transactions).toMatchObject([
    { transactionStatus: 'declined', settleAmount: 0 },
    {
      transactionStatus: 'capturedPendingSettlement',
      submitTimeUTC: '2026-11-21T12:00:02Z',
      submitTimeLocal: '2026-11-21T04:00:02',
      invoiceNumber: 'att-2',
      accountType: 'Visa',
      accountNumber: 'XXXX1111',
      settleAmount: 5.55,
    },
    {},
  ])
  const page = async (offset: number) => listUnsettled({ sorting: { orderBy: 'id', orderDescending: false }, paging: { limit: 2, offset } })
  expect([transIds(await page(1)), transIds(await page(2))]).toEqual([[first, second], [third]])
  expect(await page(3)).toMatchObject({ messages: NO_RECORDS })
  expect(await listUnsettled({ paging: { limit: 1001, offset: 1 } })).toMatchObject({ messages: { message: [{ code: 'E00013' }] } })
})

test('batches are found by their day, at most 31 days at once', async () => {
  await pay()
  await authorize.postControl('/authorize/settle-batch')
  const batches = async (firstSettlementDate: string, lastSettlementDate: string) =>
    authorize.call('getSettledBatchListRequest', { firstSettlementDate, lastSettlementDate })
  expect((await batches('2026-11-21T00:00:00', '2026-11-22T00:00:00Z')).batchList).toHaveLength(1)
  expect((await batches('2026-11-22T00:00:00Z', '2026-11-23T00:00:00Z')).messages).toEqual(NO_RECORDS)
  expect((await batches('2026-10-01T00:00:00Z', '2026-11-23T00:00:00Z')).messages.resultCode).toBe('Error')
})

test('accounts do not see one another’s transactions', async () => {
  const transId = await pay()
  expect(await authorize.call('getTransactionDetailsRequest', { transId }, 'other')).toMatchObject({
    messages: { resultCode: 'Error', message: [{ code: 'E00040' }] },
  })
})
