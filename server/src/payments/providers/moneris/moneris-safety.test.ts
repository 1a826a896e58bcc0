import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chargeNew, chargeStored } from '../../../../test/payments/charge-directly.ts'
import { contextAnswering, recordingsOf, type WireAnswer } from '../../../../test/payments/providers/adapter-bench.ts'
import {
  approvedFields,
  MONERIS_ORDER,
  MONERIS_SETTINGS,
  receiptXml,
  rejectedFields,
  typedCard,
} from '../../../../test/payments/providers/moneris.driver.ts'
import { identifiedOrder, sentOrder } from '../../../../test/payments/sent-order.ts'
import { NoResponseError } from '../../../kit/outgoing-http.ts'
import type { KnownMethod, NewCard } from '../method.ts'
import type { ChargeOrder } from '../order.ts'
import { moneris } from './moneris.ts'
import { decodePurchase, decodeStatusCheck, readOutcome } from './moneris-codec.ts'
import { decodeStoredCard } from './moneris-methods.ts'
import { parseReceipt, type Receipt } from './moneris-xml.ts'

const answering = (...answers: WireAnswer[]) => contextAnswering(moneris, MONERIS_SETTINGS, ...answers)

const STORED: KnownMethod = {
  token: 'WBtBt9oUcBbVsCoeMVSnFdUb4',
  kind: 'card',
  providerCustomerId: null,
  details: { networkRef: '168451306048014' },
}

const charge = async (answer: WireAnswer, more: Partial<ChargeOrder> = {}) => {
  const { context, sent } = answering(answer)
  return { result: await chargeStored(moneris, context, { ...MONERIS_ORDER, ...more }, STORED), sent }
}
const chargeTyped = async (card: NewCard) => {
  const { context, sent } = answering(receiptXml(approvedFields()))
  return { result: await chargeNew(moneris, context, MONERIS_ORDER, card), sent }
}
const lookUp = async (answer: WireAnswer, providerRef: string | null = null) => {
  const { context, sent } = answering(answer)
  return { result: await moneris.lookUp(context, sentOrder(MONERIS_ORDER, providerRef)), sent }
}

const CREDENTIALS = '<store_id>store1</store_id><api_token>desk-token-of-store1</api_token>'

describe('[PAY-01] what is sent', () => {
  test('[BP-03] moneris: of a stored card, by its holder: the mark of a customer who is present', async () => {
    const { sent } = await charge(receiptXml(approvedFields()))
    expect(sent).toEqual([
      `<?xml version="1.0"?><request>${CREDENTIALS}<res_purchase_cc><data_key>WBtBt9oUcBbVsCoeMVSnFdUb4</data_key>` +
        '<order_id>ABCDEFGHJK2345678923</order_id><cust_id>7</cust_id><amount>110.00</amount><crypt_type>7</crypt_type>' +
        '<cof_info><payment_indicator>Z</payment_indicator><payment_information>2</payment_information>' +
        '<issuer_id>168451306048014</issuer_id></cof_info></res_purchase_cc></request>',
    ])
  })

  test('[PAY-01] of a stored card, unattended: the mark of a charge without its holder', async () => {
    const { sent } = await charge(receiptXml(approvedFields()), { returnUrl: null, client: null })
    expect(sent[0]).toContain('<payment_indicator>U</payment_indicator><payment_information>2</payment_information>')
  })

  test('[SP-03] moneris: of a card number: its date as YYMM, its code, and the address that the issuer compares', async () => {
    const address = { line1: '18 Marina Walk', postalCode: 'V8V 0A0', city: 'Victoria' }
    const { sent } = await chargeTyped({ ...typedCard(), address })
    expect(sent[0]).toContain(
      '<amount>110.00</amount><pan>4242424242424242</pan><expdate>3112</expdate><crypt_type>7</crypt_type>' +
        '<cvd_info><cvd_indicator>1</cvd_indicator><cvd_value>739</cvd_value></cvd_info>' +
        '<avs_info><avs_street_number>18</avs_street_number><avs_street_name>Marina Walk</avs_street_name>' +
        '<avs_zipcode>V8V0A0</avs_zipcode></avs_info></purchase>',
    )
  })

  test('[SP-03] moneris: of a street without a number, or with signs: no number, and plain ASCII', async () => {
    const { sent } = await chargeTyped({ ...typedCard(), address: { line1: 'Rue <de> l’Église & Fils', postalCode: 'H2X' } })
    expect(sent[0]).toContain(
      '<avs_street_number></avs_street_number><avs_street_name>Rue &#60;de&#62; l&#8217;&#201;glise &#38;</avs_street_name>',
    )
  })

  test('[PM-50] moneris: when a card is stored: the holder’s first consent, whose id goes into the vault', async () => {
    const verified = approvedFields({ TransType: '06', TransAmount: '0.00', IssuerId: '168451306048014', CvdResultCode: '1M' })
    const { context, sent } = answering(receiptXml(verified), receiptXml(rejectedFields('Invalid pan parameter')))
    const options = { client: { ip: '', userAgent: '' }, returnUrl: '', id: randomUUID(), customerId: 7 }
    await moneris.storing.store(context, '', { ...typedCard(), type: 'card', phone: '604-555-0100', email: 'a@b.example' }, options)
    expect(sent.map((body) => body.replace(options.id, 'ID').split(CREDENTIALS)[1])).toEqual([
      '<card_verification><order_id>ID</order_id><pan>4242424242424242</pan><expdate>3112</expdate><crypt_type>7</crypt_type>' +
        '<cvd_info><cvd_indicator>1</cvd_indicator><cvd_value>739</cvd_value></cvd_info><cof_info><payment_indicator>C</payment_indicator>' +
        '<payment_information>0</payment_information><issuer_id></issuer_id></cof_info></card_verification></request>',
      '<res_add_cc><cust_id>7</cust_id><phone>604-555-0100</phone><email>a@b.example</email><pan>4242424242424242</pan><expdate>3112</expdate>' +
        '<crypt_type>7</crypt_type><cof_info><issuer_id>168451306048014</issuer_id></cof_info></res_add_cc></request>',
    ])
  })

  test('[PAY-01] only once it is submitted: before, it has our reference and what may be shown of the card', async () => {
    const { context, sent } = answering(receiptXml(approvedFields()))
    const prepared = await moneris.prepareNewCardCharge?.(context, MONERIS_ORDER, typedCard())
    expect(prepared).toMatchObject({ providerRef: MONERIS_ORDER.merchantReference, method: { brand: 'visa', last4: '4242' } })
    expect(sent).toEqual([])
  })

  test('[PAY-01] by a look-up: a status check that could charge nothing if the gateway overlooked what it is', async () => {
    const { sent } = await lookUp(receiptXml(approvedFields({ status_code: '0' })))
    expect(sent).toEqual([
      `<?xml version="1.0"?><request>${CREDENTIALS}<status_check>true</status_check><res_purchase_cc>` +
        '<data_key>statuscheckofnostoredcard</data_key><order_id>ABCDEFGHJK2345678923</order_id><amount>110.00</amount>' +
        '<crypt_type>7</crypt_type></res_purchase_cc></request>',
    ])
  })
})

const UNDECIDED: [string, WireAnswer][] = [
  ['nothing', ''],
  ['an error page', { status: 500, text: '<html><h1>500</h1></html>' }],
  ['a receipt with another status', { status: 502, text: receiptXml(approvedFields()) }],
  ['a web page', '<!doctype html><html><body>APPROVED</body></html>'],
  ['JSON', '{"ResponseCode":"027"}'],
  ['half a receipt', receiptXml(approvedFields()).slice(0, -30)],
  ['a receipt with a document type', receiptXml(approvedFields()).replace('<response>', '<!DOCTYPE response><response>')],
  ['two receipts', receiptXml(approvedFields()).replace('</receipt>', '</receipt><receipt></receipt>')],
  ['two response codes', receiptXml(approvedFields()).replace('<ISO>', '<ResponseCode>481</ResponseCode><ISO>')],
  ['a time-out at the bank', receiptXml(approvedFields({ TimedOut: 'true' }))],
  ['a time-out of no known kind', receiptXml(approvedFields({ TimedOut: 'perhaps' }))],
  ['an approval that is not complete', receiptXml(approvedFields({ Complete: 'false' }))],
  ['a decline that is not complete', receiptXml(approvedFields({ Complete: 'false', ResponseCode: '481' }))],
  ['no response code', receiptXml(approvedFields({ ResponseCode: 'null' }))],
  ['an odd response code', receiptXml(approvedFields({ ResponseCode: '0x1' }))],
  ['another order', receiptXml(approvedFields({ ReceiptId: 'ABCDEFGHJK2345678924' }))],
  ['another order’s decline', receiptXml(approvedFields({ ReceiptId: '1026.1', ResponseCode: '481' }))],
  ['a refund', receiptXml(approvedFields({ TransType: '04' }))],
  ['a pre-authorization', receiptXml(approvedFields({ TransType: '01' }))],
  ['no amount', receiptXml(approvedFields({ TransAmount: 'null' }))],
  ['an odd amount', receiptXml(approvedFields({ TransAmount: '110' }))],
  ['no id', receiptXml(approvedFields({ TransID: 'null' }))],
  ['a duplicate order id', receiptXml(rejectedFields('The transaction was not sent to the host because of a duplicate order id'))],
  ['an unknown rejection', receiptXml(rejectedFields('Something else'))],
  ['an invented receipt', receiptXml({ ...rejectedFields('null'), ReceiptId: 'Global Error Receipt' })],
]

describe('[PAY-01] what leaves open whether money moved', () => {
  test.each(UNDECIDED)('[PAY-01] %s is unknown, and nothing is sent again', async (_, answer) => {
    const { result, sent } = await charge(answer)
    expect([result.state, sent.length]).toEqual(['unknown', 1])
  })

  test('[PAY-01] a connection that breaks is unknown, and one that never was is not sent', async () => {
    expect((await charge(new NoResponseError('no answer (ECONNRESET)', true))).result.state).toBe('unknown')
    expect((await charge(new NoResponseError('no answer (ECONNREFUSED)', false))).result.state).toBe('not_sent')
  })

  test('[PAY-01] no receipt but an approved purchase of this order is paid', () => {
    const texts = fc.constantFrom(
      'true',
      'false',
      '027',
      '001',
      '049',
      '050',
      '481',
      '00',
      '04',
      '06',
      '110.00',
      '1.00',
      '81-0_900',
      MONERIS_ORDER.merchantReference,
    )
    const odd = fc
      .dictionary(
        fc.constantFrom(...Object.keys(approvedFields()), 'status_code'),
        fc.option(fc.oneof(texts, fc.string()), { nil: undefined }),
      )
      .map((part): Receipt => ({ ...approvedFields(), ...part }))
    fc.assert(
      fc.property(odd, (receipt) => {
        const results = [decodePurchase(receipt, MONERIS_ORDER), decodeStatusCheck(receipt, sentOrder(MONERIS_ORDER))]
        if (results.every(({ state }) => state !== 'succeeded')) return
        expect(receipt).toMatchObject({ ReceiptId: MONERIS_ORDER.merchantReference, Complete: 'true', TransType: '00' })
        expect([receipt['ResponseCode']]).toEqual([expect.stringMatching(/^0[0-4]\d$/)])
        expect(receipt['TimedOut'] ?? 'false').toBe('false')
      }),
      { numRuns: 5_000 },
    )
  })

  test('[PAY-01] whatever text Moneris answers, reading it never fails and never means paid', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => receiptXml({ Message: text })),
        ),
        async (text) => {
          expect((await charge(text)).result.state).not.toBe('succeeded')
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('[PAY-01] what a status check says', () => {
  test.each([
    ['an approval', { status_code: '0' }, { state: 'succeeded', providerRef: '81-0_900', refunded: null, reversed: null }],
    ['a decline', { status_code: '0', ResponseCode: '482' }, { state: 'declined', reason: 'expired_card' }],
    ['an approval that was not found', { status_code: '50' }, { state: 'unknown' }],
    ['a decline that was not found', { status_code: '50', ResponseCode: '482' }, { state: 'unknown' }],
    ['an approval without a status', {}, { state: 'unknown' }],
    ['a decline without a status', { ResponseCode: '482' }, { state: 'unknown' }],
    ['a time-out', { status_code: '0', TimedOut: 'true' }, { state: 'unknown' }],
    ['a purchase of another order', { status_code: '0', ReceiptId: 'ABC' }, { state: 'unknown' }],
    [
      'a purchase over another amount',
      { status_code: '0', TransAmount: '1.00' },
      { state: 'succeeded', amount: { minor: 100n, currency: 'CAD' } },
    ],
  ])('[PAY-01] %s', async (_, more, expected) => {
    expect((await lookUp(receiptXml(approvedFields(more)))).result).toMatchObject(expected)
  })

  test.each([
    ['nothing found', { status_code: '50' }, 'absent'],
    ['nothing, though found', { status_code: '0' }, 'unknown'],
    ['a rejection', {}, 'unknown'],
  ])('[PAY-01] %s', async (_, more, state) => {
    const token = await lookUp(receiptXml({ ...rejectedFields('API token mismatch'), ...more }))
    expect(token.result.state).toBe(state)
  })

  test('[PAY-01] another id than the one that was told is another payment', async () => {
    expect((await lookUp(receiptXml(approvedFields({ status_code: '0' })), '1-0_1')).result.state).toBe('unknown')
    for (const known of ['81-0_900', MONERIS_ORDER.merchantReference])
      expect((await lookUp(receiptXml(approvedFields({ status_code: '0' })), known)).result.state).toBe('succeeded')
  })

  test('[PAY-01] a look-up that did not arrive does not say that the purchase did not', async () => {
    expect((await lookUp(new NoResponseError('no answer (ECONNREFUSED)', false))).result.state).toBe('unknown')
  })
})

describe('[PAY-01] what the answer to a void or a refund says', () => {
  const refund = async (minor: bigint, ...answers: WireAnswer[]) => {
    const { context, sent } = answering(...answers)
    const order = identifiedOrder(MONERIS_ORDER, '81-0_900', context.now)
    return { result: await moneris.refunds?.refund(context, order, { minor, currency: 'CAD' }, randomUUID()), sent }
  }

  test('[PAY-01] a void that is rejected becomes a refund, in Moneris’ order of elements', async () => {
    const rejected = receiptXml(rejectedFields('The batch is closed'))
    const { result, sent } = await refund(11_000n, rejected, receiptXml(approvedFields({ TransType: '04' })))
    expect(result).toMatchObject({ state: 'succeeded', refunded: 11_000n })
    expect(sent.map((body) => body.split(CREDENTIALS)[1])).toEqual([
      '<purchasecorrection><order_id>ABCDEFGHJK2345678923</order_id><txn_number>81-0_900</txn_number><crypt_type>7</crypt_type>' +
        '</purchasecorrection></request>',
      '<refund><order_id>ABCDEFGHJK2345678923</order_id><amount>110.00</amount><txn_number>81-0_900</txn_number>' +
        '<crypt_type>7</crypt_type></refund></request>',
    ])
  })

  test.each(UNDECIDED.slice(0, 14))('[PAY-01] a void that is answered by %s is not followed by a refund', async (_, answer) => {
    const { result, sent } = await refund(11_000n, answer)
    expect([result?.state, sent.length]).toEqual(['unknown', 1])
  })
})

test('[PAY-01] no secret of a request or an answer is logged', () => {
  const request =
    '<store_id>store1</store_id><api_token>desk-token</api_token><res_add_cc><cust_id>7</cust_id><phone>604-555-0100</phone>' +
    '<email>a@b.example</email><pan>4242424242424242</pan><expdate>3112</expdate><cvd_info><cvd_value>739</cvd_value></cvd_info>' +
    '<avs_info><avs_street_number>18</avs_street_number><avs_street_name>Marina Walk</avs_street_name><avs_zipcode>V8V0A0</avs_zipcode></avs_info>'
  const answer =
    '<DataKey>ot-abc</DataKey><ResponseCode>027</ResponseCode><IssuerId>168451306048014</IssuerId><masked_pan>4242***4242</masked_pan>'
  const page = 'Cannot read &lt;pan&gt;4242424242424242&lt;/pan&gt; <pan>42424242'
  expect(moneris.redact(`${request} ${answer} ${page}`)).toBe(
    '<store_id>store1</store_id><api_token>[sealed]</api_token><res_add_cc><cust_id>[sealed]</cust_id><phone>[sealed]</phone>' +
      '<email>[sealed]</email><pan>[sealed]</pan><expdate>[sealed]</expdate><cvd_info><cvd_value>[sealed]</cvd_value></cvd_info>' +
      '<avs_info><avs_street_number>[sealed]</avs_street_number><avs_street_name>[sealed]</avs_street_name><avs_zipcode>[sealed]</avs_zipcode></avs_info>' +
      ' <DataKey>[sealed]</DataKey><ResponseCode>027</ResponseCode><IssuerId>[sealed]</IssuerId><masked_pan>[sealed]</masked_pan>' +
      ' Cannot read &lt;pan&gt;[sealed]&lt;/pan&gt; <pan>[sealed]',
  )
})

test('[PAY-01] a card that cannot be removed is not said to be', async () => {
  for (const answer of ['', receiptXml(rejectedFields('API token mismatch')), receiptXml(approvedFields({ TimedOut: 'true' }))])
    await expect(moneris.storing.remove(answering(answer).context, STORED)).rejects.toThrow(/moneris/)
  await expect(
    moneris.storing.remove(answering(receiptXml(rejectedFields('Invalid data_key parameter'))).context, STORED),
  ).resolves.toBeUndefined()
})

const RECORDED = recordingsOf('moneris').filter(({ file }) => !file.startsWith('hosted'))

describe.runIf(RECORDED.length > 0)('what the real Moneris has answered', () => {
  const names = RECORDED.map(({ file }) => file)
  /** One recording lacks the element around its fields. */
  const receiptOf = (name: string): Receipt => {
    const body = String(RECORDED.find(({ file }) => file === name)?.response.body)
    const whole = body.includes('<receipt>')
      ? body
      : body.replace('<response>', '<response><receipt>').replace('</response>', '</receipt></response>')
    return parseReceipt(whole) ?? {}
  }
  const ofOrder = (receipt: Receipt) => ({
    merchantReference: receipt['ReceiptId'] ?? '',
    amount: { minor: BigInt((receipt['TransAmount'] ?? '0').replace('.', '')), currency: 'CAD' },
  })

  test('[PAY-01] approved purchases are paid, and nothing else is', () => {
    const paid = names.filter((name) => decodePurchase(receiptOf(name), ofOrder(receiptOf(name))).state === 'succeeded')
    expect(paid).toEqual(['cavv-purchase-approved.json', 'purchase-approved-avs-a.json', 'vault-purchase-approved.json'])
  })

  test.each([
    ['purchase-declined-481.json', { state: 'declined', reason: 'card_declined', providerCode: '481' }],
    ['vault-purchase-declined-2-05.json', { state: 'declined', reason: 'card_declined', providerCode: '481' }],
    ['api-token-mismatch.json', { state: 'declined', reason: 'not_configured' }],
    ['void-without-matching-original.json', { state: 'unknown' }],
    ['preauth-approved.json', { state: 'unknown' }],
  ])('[PAY-01] %s', (name, expected) => {
    expect(decodePurchase(receiptOf(name), ofOrder(receiptOf(name)))).toMatchObject(expected)
  })

  test('[PM-50] moneris: the vault’s answers are read with what may be shown of the cards', () => {
    const vault = names.filter((name) => name.startsWith('vault') && !name.includes('purchase'))
    for (const name of vault) expect([name, readOutcome(receiptOf(name)).state]).toEqual([name, 'approved'])
    expect(decodeStoredCard(receiptOf('vault-add-full-transcript.json'))).toEqual({
      token: 'LAmXQeZwdtzUtz1QI1vF6etR2',
      details: { last4: '4242', expMonth: 5, expYear: 2017 },
    })
    expect(decodeStoredCard(receiptOf('vault-add-short-form.json'))).toEqual({ token: '1234567890', details: {} })
  })
})
