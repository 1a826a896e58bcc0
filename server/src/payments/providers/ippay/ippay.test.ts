import { describe, expect, test } from 'vitest'
import { chargeNew, chargeStored } from '../../../../test/payments/charge-directly.ts'
import { contextAnswering, useSandbox, type WireAnswer } from '../../../../test/payments/providers/adapter-bench.ts'
import { ippayOrder, ippaySettings, testIPpay, TYPED_ACCOUNT, TYPED_CARD } from '../../../../test/payments/providers/ippay.driver.ts'
import { identifiedOrder, sentOrder } from '../../../../test/payments/sent-order.ts'
import { addMs } from '../../../kit/clock.ts'
import { NoResponseError } from '../../../kit/outgoing-http.ts'
import type { ChargeResult } from '../charge-result.ts'
import type { ChargeOrder } from '../order.ts'
import { checkIPpayAccount } from './ippay-client.ts'
import { decodeCharge } from './ippay-charges.ts'
import { frameUrl, parseFrameReturn } from './ippay-frame.ts'
import { parseReply, parseReport, toXml } from './ippay-xml.ts'
import { ippay } from './ippay.ts'

const sandbox = await useSandbox()
const at = () => testIPpay(sandbox)

const charge = async (order: ChargeOrder, kind: 'card' | 'bank' = 'bank'): Promise<ChargeResult> =>
  chargeStored(ippay, at().context(), order, await (kind === 'bank' ? at().storeAccount() : at().storeCard()))

const bankOrder = (change: Partial<ChargeOrder> = {}): ChargeOrder => ippayOrder({ methodType: 'eCheck', ...change })

const settle = (merchantReference: string, outcome: string): Promise<void> => sandbox.settlePayment('ippay', merchantReference, outcome)

const lookUp = (order: ChargeOrder): Promise<ChargeResult> =>
  ippay.lookUp(at().context(addMs(new Date(), 2_000)), sentOrder(order, order.merchantReference, new Date()))

describe('debits', () => {
  test('[PAY-01] type 4: reports that cannot be read leave a debit as it is', async () => {
    const order = bankOrder()
    await charge(order)
    await sandbox.fault({ provider: 'ippay', operation: 'list', kind: 'error', times: 10 })
    expect(await lookUp(order)).toMatchObject({ state: 'unknown' })
    await sandbox.fault({ provider: 'ippay', operation: 'ping', kind: 'error', times: 1 })
    await expect(checkIPpayAccount(at().context())).rejects.toThrow('IPpay cannot be asked')
    while ((await lookUp(order)).state === 'unknown') await Promise.resolve()
    expect(await lookUp(order)).toMatchObject({ state: 'processing' })
  })

  test('[PAY-01] type 4: a debit is given back by paying into the account, once for each refund', async () => {
    const order = bankOrder()
    await charge(order)
    await settle(order.merchantReference, 'succeeded')
    const known = { ...identifiedOrder(order, order.merchantReference, new Date()), methodType: 'eCheck' }
    const part = { minor: 1_000n, currency: 'USD' }
    const give = (id: string) => ippay.refunds?.refund(at().context(), known, part, id)
    expect(await give('first')).toMatchObject({ state: 'succeeded', refunded: 1_000n })
    expect(await give('first')).toMatchObject({ state: 'succeeded', refunded: 1_000n })
    const refunds = (await sandbox.ledger()).filter(({ status, amount }) => status === 'refunded' && amount === 1_000)
    expect(refunds).toHaveLength(1)
    expect(await lookUp(order)).toMatchObject({ state: 'succeeded', refunded: 1_000n })
  })
})

describe('refunds of cards', () => {
  test('[PAY-01] type 4: the whole is voided while the batch is open, and credited afterwards; parts are credits', async () => {
    const [open, closed] = [ippayOrder(), ippayOrder()]
    await charge(open, 'card')
    await charge(closed, 'card')
    const give = (order: ChargeOrder, minor: bigint) =>
      ippay.refunds?.refund(at().context(), identifiedOrder(order, order.merchantReference, new Date()), { minor, currency: 'USD' }, 'id')
    expect(await give(open, 11_000n)).toMatchObject({ state: 'succeeded', refunded: 11_000n })
    await sandbox.post('/ippay/settle-batch', {})
    expect(await give(closed, 11_000n)).toMatchObject({ state: 'succeeded', refunded: 11_000n })
    expect(await lookUp(closed)).toMatchObject({ state: 'succeeded', refunded: 11_000n })
    // What was given back since is not known to this order.
    expect(await give(closed, 1_000n)).toMatchObject({ state: 'not_sent' })
  })
})

const order = ippayOrder({ merchantReference: 'ABCDEFGHJKMNPQRSTU' })
const APPROVAL = { TransactionID: order.merchantReference, ActionCode: '000', Approval: 'TEST00', ResponseText: 'APPROVED' }

const answering = (...answers: WireAnswer[]) => contextAnswering(ippay, ippaySettings('CONFORMANCE'), ...answers)

const replyXml = (fields: Readonly<Record<string, string>>): string => toXml({ ippayResponse: { attributes: {}, fields } })
const NO_ROWS = '<ippayReport><Transactions type="credit">No Results</Transactions></ippayReport>'
const rowXml = (fields: Readonly<Record<string, string>>): string =>
  `<ippayResponse><Transactions records="1"><Transaction>${toXml(fields)}</Transaction></Transactions></ippayResponse>`
const SALE_ROW = { Transaction_ID: order.merchantReference, Request_Type: 'SALE', Total_Amount: '110.0000', ActionCode: '000' }

const ODD_ANSWERS: readonly (readonly [Record<string, string>, string])[] = [
  [{ ...APPROVAL, TransactionID: 'ANOTHERTRANSACTION' }, 'which payment'],
  [{ ActionCode: '000', ResponseText: 'APPROVED' }, 'which payment'],
  [{ ...APPROVAL, TotalAmount: '11100' }, 'another amount'],
  [{ TransactionID: order.merchantReference, ResponseText: 'APPROVED' }, 'without a code'],
  ...['010', '011', '094', '068', '992', '999', '012345', '777', '', 'OK'].map((code): [Record<string, string>, string] => [
    { ...APPROVAL, ActionCode: code },
    code || 'ippay',
  ]),
]

describe('answers', () => {
  test.each(ODD_ANSWERS)(
    '[PAY-01] type 4: an answer that is no approval of this payment, or not documented, is unknown, never declined: %j',
    (reply, detail) => {
      expect(decodeCharge(reply, order, 'card')).toEqual({ state: 'unknown', detail: expect.stringContaining(detail) })
    },
  )

  test.each([
    ['not xml'],
    ['<html><body>It works!</body></html>'],
    ['<!DOCTYPE x [<!ENTITY a "b">]><ippayResponse><ActionCode>000</ActionCode></ippayResponse>'],
    ['<ippayResponse><ActionCode>000</ActionCode><ActionCode>005</ActionCode></ippayResponse>'],
    ['<ippayResponse><ActionCode>000</ippayResponse>'],
  ])('[PAY-01] type 4: %s is no answer', (text) => {
    expect(parseReply(text)).toBeUndefined()
    expect(parseReport(text)).toBeUndefined()
  })

  test('[PAY-01] type 4: a charge that certainly did not arrive was not sent; one that may have is unknown', async () => {
    const method = { token: '4B3J7E7D7K2A1000', kind: 'card', providerCustomerId: null, details: {} } as const
    const chargeAfter = (error: Error) => chargeStored(ippay, answering(error).context, order, method)
    expect(await chargeAfter(new NoResponseError('refused', false))).toMatchObject({ state: 'not_sent' })
    expect(await chargeAfter(new NoResponseError('reset', true))).toMatchObject({ state: 'unknown' })
    const kept = answering(replyXml(APPROVAL))
    expect(await chargeStored(ippay, kept.context, { ...order, amount: { minor: 1n, currency: 'CAD' } }, method)).toMatchObject({
      state: 'not_sent',
    })
  })

  test('[PAY-01] type 4: what is sent is one request with our TransactionID, whole cents and the card’s expiry', async () => {
    const method = { token: '4B3J7E7D7K2A1000', kind: 'card', providerCustomerId: null, details: { expMonth: 4, expYear: 2031 } } as const
    const { sent, context } = answering(replyXml(APPROVAL))
    const odd = { ...order, invoiceNumbers: ['INV & <1> Ü'], returnUrl: null, client: null }
    expect(await chargeStored(ippay, context, odd, method)).toMatchObject({ state: 'succeeded', amount: order.amount })
    expect(sent).toEqual([
      '<ippay><TransactionType>SALE</TransactionType><TerminalID>CONFORMANCE</TerminalID><Password>terminal-secret</Password>' +
        '<TransactionID>ABCDEFGHJKMNPQRSTU</TransactionID><Token>4B3J7E7D7K2A1000</Token><CardExpMonth>04</CardExpMonth><CardExpYear>31</CardExpYear>' +
        '<Origin>RECURRING</Origin><TotalAmount>11000</TotalAmount><OrderNumber>INV &#38; &#60;1&#62; &#220;</OrderNumber><UDField1>Counterfoil 7</UDField1></ippay>',
    ])
  })
})

describe('look-ups', () => {
  const lookUpWith = (...answers: WireAnswer[]) =>
    ippay.lookUp(answering(...answers).context, sentOrder(order, null, new Date('2026-11-23T12:00:00Z')))
  const enquiry = (fields: object): string => replyXml({ TransactionID: order.merchantReference, ...fields })
  const NOT_FOUND = enquiry({ ActionCode: '940', ErrMsg: 'Record Not Found.' })

  test('[PAY-01] type 4: nothing is absent unless the enquiry and the report both say so', async () => {
    expect(await lookUpWith(NOT_FOUND, NO_ROWS, NO_ROWS)).toMatchObject({ state: 'absent' })
    expect(await lookUpWith(NOT_FOUND, '<html></html>')).toMatchObject({ state: 'unknown' })
    expect(await lookUpWith(NOT_FOUND, new NoResponseError('reset', true))).toMatchObject({ state: 'unknown' })
    expect(await lookUpWith(NOT_FOUND, rowXml(SALE_ROW), NO_ROWS, NO_ROWS)).toMatchObject({ state: 'succeeded', amount: order.amount })
  })

  test.each([
    ['a refused terminal', { ActionCode: '925' }],
    ['a host that is down', { ActionCode: '091' }],
    ['an unknown code', { ActionCode: '094' }],
    ['an approval without its number', { ActionCode: '000' }],
    ['another transaction', { ...APPROVAL, TransactionID: 'ZZZZZZZZZZZZZZZZZZ' }],
  ])('[PAY-01] type 4: an enquiry that says nothing of the payment leaves it unknown: %s', async (_name, fields) => {
    expect(await lookUpWith(enquiry(fields), NO_ROWS, NO_ROWS)).toMatchObject({ state: 'unknown' })
  })

  test('[PAY-01] type 4: an enquiry and a report that contradict each other prove nothing; another amount is told', async () => {
    expect(await lookUpWith(enquiry(APPROVAL), rowXml({ ...SALE_ROW, ActionCode: '005' }))).toMatchObject({ state: 'unknown' })
    expect(await lookUpWith(enquiry(APPROVAL), rowXml({ ...SALE_ROW, Total_Amount: '111.0000' }), NO_ROWS)).toMatchObject({
      state: 'succeeded',
      amount: { minor: 11_100n },
    })
    expect(await lookUpWith(enquiry(APPROVAL), rowXml({ ...SALE_ROW, Total_Amount: '173' }))).toMatchObject({ state: 'unknown' })
    expect(await lookUpWith(enquiry({ ActionCode: '005' }))).toMatchObject({ state: 'declined', reason: 'card_declined' })
  })
})

describe('the hosted page', () => {
  test('[PM-40] type 4: everything that the page obeys is signed, and a changed address is refused by it', async () => {
    const frame = {
      reference: order.merchantReference,
      kind: 'card',
      buttonText: 'Pay $110.00',
      amount: order.amount,
      orderNumber: 'INV-1',
      fields: ['name', 'email'],
      requiredFields: ['name'],
      returnUrl: 'http://localhost:3000/payment-return/state',
    } as const
    const url = new URL(frameUrl(at().context(), frame))
    expect((await fetch(url)).status).toBe(200)
    for (const name of ['jp_tid', 'amount', 'order_number', 'pay_type', 'fields', 'required', 'button', 'retUrl', 'jp_request_hash']) {
      const changed = new URL(url)
      changed.searchParams.set(name, name === 'pay_type' ? 'ACH' : `${url.searchParams.get(name)}1`)
      expect((await fetch(changed)).status, name).toBe(400)
    }
    const live = new URL(frameUrl({ ...at().context(), baseUrl: 'https://gtwy.ippay.com' }, frame))
    expect(live.origin).toBe('https://hostedpage.ippay.com')
  })

  test('[PM-40] type 4: a frame makes one token, and no sale’s id stands for one', async () => {
    const token = await at().enter(TYPED_CARD)
    const sale = ippayOrder()
    await charge(sale, 'card')
    const pay = (token: string) => chargeNew(ippay, at().context(), ippayOrder(), { typedMethod: { kind: 'token', token } })
    expect(await pay(token)).toMatchObject({ state: 'succeeded' })
    expect(await pay(sale.merchantReference)).toMatchObject({ state: 'not_sent' })
    expect(await pay(ippayOrder().merchantReference)).toMatchObject({ state: 'declined', providerCode: 'no-token' })
    expect(await at().enter(TYPED_ACCOUNT, 'bank')).toMatch(/^[A-HJ-NP-Z2-9]{18}$/)
  })

  test.each([
    [{ ActionCode: '000' }, { code: '000', failure: null }],
    [{ ActionCode: 'AFS-103' }, { code: 'AFS-103', failure: null }],
    [{ ActionCode: '005', ResponseText: 'DECLINED' }, { failure: 'DECLINED (005)' }],
    [{ ActionCode: '<b>', ResponseText: '<script>alert(1)</script>' }, { failure: 'scriptalertscript' }],
    [{}, { failure: 'DECLINED' }],
    [{ ActionCode: '000', CardExpMonth: '13', CardExpYear: '31', ABA: '12' }, { details: {} }],
    [
      { ActionCode: '000', CardExpMonth: '04', CardExpYear: '31', ABA: '071025661' },
      { details: { expMonth: 4, expYear: 2031, bankCode: '071025661' } },
    ],
  ])('[PM-40] type 4: what the page posts is read whatever it is: %j', (fields, expected) => {
    expect(parseFrameReturn(fields)).toMatchObject(expected)
  })
})

test('[OPS-03] type 4: an account whose reports are refused is told', async () => {
  const wrong = { ...at().context(), settings: { ...at().context().settings, reportPassword: 'wrong' } }
  await expect(checkIPpayAccount(wrong)).rejects.toThrow('reports')
})
