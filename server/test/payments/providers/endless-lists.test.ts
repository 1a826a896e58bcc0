import { expect, test } from 'vitest'
import { authorize } from '../../../src/payments/providers/authorize/authorize.ts'
import { bpoint } from '../../../src/payments/providers/bpoint/bpoint.ts'
import { nexio } from '../../../src/payments/providers/nexio/nexio.ts'
import { pinch } from '../../../src/payments/providers/pinch/pinch.ts'
import type { ProviderPayment } from '../../../src/payments/providers/charge-result.ts'
import { contextAnswering } from './adapter-bench.ts'
import { AUTHORIZE_SETTINGS } from './authorize.driver.ts'
import { BPOINT_SETTINGS } from './bpoint.driver.ts'
import { PINCH_APPLICATION, pinchSettings } from './pinch.driver.ts'

const [FROM, TO] = [new Date('2026-11-22T00:00:00Z'), new Date('2026-11-23T00:00:00Z')]

const readAll = async (list: AsyncIterable<ProviderPayment> | undefined): Promise<ProviderPayment[]> => {
  const payments: ProviderPayment[] = []
  for await (const payment of list ?? []) payments.push(payment)
  return payments
}

test('[PAY-01] a list that goes on for ever is an error: what is missing from a cut list would count as not charged', async () => {
  const moment = { transactionDate: '2026-11-22T10:00:00.000Z', plugin: { originalId: 'payment-1', orderNumber: 'our-1' } }
  const sale = { id: 1, transactionStatus: 10, amount: 5, currencyId: '840', ...moment }
  const page = JSON.stringify({ rows: Array.from({ length: 100 }, () => sale) })
  const { context: atNexio } = contextAnswering(nexio, { username: 'me', password: 'correct horse', webhookSecrets: [] }, page)
  await expect(readAll(nexio.listPayments?.(atNexio, FROM, TO))).rejects.toThrow('nexio lists too many transactions')

  const bearer = JSON.stringify({ access_token: 'a.token', expires_in: 3_600, token_type: 'Bearer' })
  const pages = JSON.stringify({ totalPages: 1_000_000, data: [] })
  const { context: atPinch } = contextAnswering(pinch, pinchSettings(PINCH_APPLICATION), bearer, pages)
  await expect(readAll(pinch.listPayments?.(atPinch, FROM, TO))).rejects.toThrow('pinch lists too many payments')

  const found = Array.from({ length: 1_001 }, (_, at) => JSON.stringify({ transactions: [], continueFrom: at }))
  const { context: atBpoint } = contextAnswering(bpoint, { ...BPOINT_SETTINGS, merchantNumber: '5353109000000001' }, ...found)
  await expect(readAll(bpoint.listPayments?.(atBpoint, FROM, TO))).rejects.toThrow('bpoint finds too much')

  const summary = { transId: '1', transactionStatus: 'capturedPendingSettlement', submitTimeUTC: moment.transactionDate, settleAmount: 5 }
  const messages = { resultCode: 'Ok', message: [{ code: 'I00001', text: 'Successful.' }] }
  const fullPage = JSON.stringify({ messages, transactions: Array.from({ length: 1_000 }, () => summary) })
  const { context: atAuthorize } = contextAnswering(authorize, AUTHORIZE_SETTINGS, fullPage)
  await expect(readAll(authorize.listPayments?.(atAuthorize, FROM, TO))).rejects.toThrow('authorize lists too many transactions')
})
