import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOrderId, readReceipt, type Receipt, requestXml, startTestMoneris, type TestMoneris, VISA } from '../test/test-moneris.ts'

/** Recordings of the real gateway, if they lie beside the repository. */
const RECORDINGS = new URL('../../../../../shared/providers/fixtures/moneris/', import.meta.url)

let moneris: TestMoneris

beforeAll(async () => {
  moneris = await startTestMoneris({ clock: () => Date.parse('2024-10-07T12:00:00Z') })
})
afterAll(async () => {
  await moneris.stop()
})

interface Recording {
  readonly request: { readonly body: string | null }
  readonly response: { readonly body: unknown }
}

const readRecording = (name: string): Recording => JSON.parse(readFileSync(new URL(`${name}.json`, RECORDINGS), 'utf8')) as Recording

/** Sends the recorded request, with ids that exist here. */
const replay =
  (ids: Readonly<Record<string, string>> = {}) =>
  async (name: string): Promise<Receipt> => {
    const body = Object.entries(ids).reduce(
      (text, [element, value]) => text.replace(new RegExp(`<${element}>[^<]*`), `<${element}>${value}`),
      readRecording(name).request.body ?? '',
    )
    return readReceipt((await moneris.post(body)).text)
  }

const MASTERCARD = { pan: '5454545454545454', expdate: '2501', crypt_type: '7' }

const addCard = async (elements = { ...VISA, crypt_type: '7' }, store = 'store1'): Promise<string> => {
  const { DataKey = '' } = await moneris.call('res_add_cc', { cust_id: 'c', note: 'tokenize', ...elements }, { store })
  return DataKey
}

/** The card of the request is stored in its store. */
const withCard = async (name: string): Promise<Receipt> => {
  const store = /<store_id>([^<]*)/.exec(readRecording(name).request.body ?? '')?.[1]
  return replay({ data_key: await addCard(undefined, store) })(name)
}

const payByKey = (amount: string) => async (): Promise<Receipt> =>
  moneris.call('res_purchase_cc', { data_key: await addCard(MASTERCARD), order_id: newOrderId(), amount, crypt_type: '7' })

const verify = async (): Promise<Receipt> =>
  moneris.call('card_verification', {
    order_id: newOrderId(),
    ...VISA,
    crypt_type: '7',
    avs_info: { avs_street_number: '1', avs_street_name: 'Main', avs_zipcode: 'K1C2N6' },
    cvd_info: { cvd_indicator: '1', cvd_value: '012' },
  })

/** A void, because there are no pre-authorizations here. */
const correctNothing = async (): Promise<Receipt> =>
  moneris.call('purchasecorrection', { order_id: 'x', txn_number: '123', crypt_type: '7' })

const declineNext = async (name: string): Promise<Receipt> => {
  await moneris.orderFault('charge', 'decline')
  return replay({ order_id: newOrderId() })(name)
}

const mismatch = async (): Promise<Receipt> =>
  moneris.call('refund', { order_id: 'x', amount: '1.00', txn_number: '1', crypt_type: '7' }, { token: 'invalid' })

const answersOf: Readonly<Record<string, (name: string) => Promise<Receipt>>> = {
  'api-token-mismatch': mismatch,
  'card-verification-approved': verify,
  'purchase-approved-avs-a': replay({ order_id: newOrderId() }),
  'purchase-declined-481': declineNext,
  'vault-add-full-transcript': replay(),
  'vault-add-short-form': replay(),
  'vault-delete-short-form': withCard,
  'vault-lookup-masked': withCard,
  'vault-purchase-approved': payByKey('1.00'),
  'vault-purchase-declined-2-05': payByKey('2.05'),
  'vault-update-short-form': withCard,
  'void-without-matching-original': correctNothing,
}

/** Texts that are the same in every answer of that kind; the others are ids, times and data of the recorded request. */
const SAME_VALUES = new Set([
  'ResponseCode',
  'TransType',
  'Complete',
  'TransAmount',
  'CardType',
  'TimedOut',
  'AvsResultCode',
  'CvdResultCode',
  'ResSuccess',
  'PaymentType',
  'CorporateCard',
  'ResolveData.masked_pan',
])

/** Other fields than in the newer transcripts: an element of the token's own test, the old vault's code, and a result of 3-D Secure. */
const isIgnored = (name: string, field: string): boolean =>
  field === 'Refund' ||
  (name.endsWith('-short-form') && field === 'ResponseCode') ||
  (name === 'card-verification-approved' && field === 'CavvResultCode')

test.skipIf(!existsSync(RECORDINGS)).each(Object.entries(answersOf))('%s: the receipt matches the recording', async (name, answer) => {
  const recorded = readReceiptOf(String(readRecording(name).response.body))
  const ours = await answer(name)
  const fields = Object.keys(recorded).filter((field) => !isIgnored(name, field))
  expect(fields.filter((field) => ours[field] === undefined)).toEqual([])
  const same = fields.filter((field) => SAME_VALUES.has(field))
  expect(Object.fromEntries(same.map((field) => [field, ours[field]]))).toEqual(
    Object.fromEntries(same.map((field) => [field, recorded[field]])),
  )
  expect(wordsOf(ours['Message'])).toBe(wordsOf(recorded['Message']))
})

test.skipIf(!existsSync(RECORDINGS))('hosted-tokenisation-messages: the message matches the recording', async () => {
  const { body } = readRecording('hosted-tokenisation-messages').response as { readonly body: object }
  const typed = { id: 'htprofile', pan: VISA.pan, exp: '1229', cvd: '123' }
  const message = (await moneris.postControl('/moneris/HPPtoken/tokenize', typed)).body as object
  expect(message).toEqual({ ...body, dataKey: expect.stringMatching(/^ot-/) })
})

/** One recording lacks the element around its fields. */
const readReceiptOf = (text: string): Receipt => {
  const body = text.replaceAll(/>\s+</g, '><').replace(/^[^>]*\?>\s*/, '')
  return readReceipt(
    body.includes('<receipt>') ? body : body.replace('<response>', '<response><receipt>').replace('</response>', '</receipt></response>'),
  )
}

/** Short forms write the message without its full stop, in other case and with padding; a void names a pre-authorization. */
const wordsOf = (message = ''): string => message.replaceAll(/[*=.]/g, '').replaceAll(/\s+/g, ' ').trim().toLowerCase()

const SAMPLE = requestXml('purchase', { order_id: 'sample', amount: '10.10', ...VISA, crypt_type: '7' })

test('a receipt has its fields in the order of the gateway', async () => {
  const names = [...(await moneris.post(SAMPLE)).text.matchAll(/<([A-Z][A-Za-z]+)>/g)].map(([, name]) => name)
  expect(names).toEqual([
    'ReceiptId',
    'ReferenceNum',
    'ResponseCode',
    'ISO',
    'AuthCode',
    'TransTime',
    'TransDate',
    'TransType',
    'Complete',
    'Message',
    'TransAmount',
    'CardType',
    'TransID',
    'TimedOut',
    'BankTotals',
    'Ticket',
    'CorporateCard',
    'AvsResultCode',
    'ITDResponse',
    'CvdResultCode',
    'CavvResultCode',
    'IsVisaDebit',
  ])
})

test('a receipt of the vault begins with the data key, and its times are those of Toronto', async () => {
  const { text } = await moneris.post(requestXml('res_add_cc', { ...VISA, crypt_type: '7' }))
  expect(text).toMatch(
    /^<\?xml version="1\.0"\?><response><receipt><DataKey>\w{25}<\/DataKey><ReceiptId>null<\/ReceiptId><ReferenceNum>null<\/ReferenceNum><ResponseCode>001<\/ResponseCode><ISO>null<\/ISO><AuthCode>null<\/AuthCode><Message>Successfully registered CC details\.<\/Message><TransTime>08:00:00<\/TransTime><TransDate>2024-10-07<\/TransDate>/,
  )
})
