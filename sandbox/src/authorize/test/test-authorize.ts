import { expect } from 'vitest'
import { startTestSandbox, type TestOptions, type TestSandbox } from '../../test/test-sandbox.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads any response
type AnyBody = any // oxlint-disable-line typescript/no-explicit-any

/** The sandbox's Authorize.net for one test file, with its own folder and port. */
export interface TestAuthorize extends TestSandbox {
  /** Sends a request with credentials in front of its fields; returns the body without its byte order mark. */
  call(name: string, fields?: object, loginId?: string): Promise<AnyBody>
  /** Sends a text to the API; the body is returned as it came. */
  send(text: string): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>
  /** Sends createTransactionRequest. */
  transact(fields: object, loginId?: string): Promise<AnyBody>
  /** Pays with a card; the fields replace or follow the usual ones. */
  pay(fields?: PaymentFields, loginId?: string): Promise<AnyBody>
  /** The status and amount that a look-up shows. */
  lookUp(transId: string, loginId?: string): Promise<AnyBody>
}

interface PaymentFields {
  readonly transactionType?: string
  readonly amount?: string | number
  readonly currencyCode?: string
  readonly payment?: object
  readonly invoiceNumber?: string
  readonly zip?: string
  readonly duplicateWindow?: string
}

const LOGIN_ID = 'bench'
export const CARD = { creditCard: { cardNumber: '4111111111111111', expirationDate: '2040-12', cardCode: '123' } }
export const ACCOUNT = {
  bankAccount: {
    accountType: 'checking',
    routingNumber: '121042882',
    accountNumber: '123456789',
    nameOnAccount: 'Ann Smith',
    echeckType: 'WEB',
    bankName: 'First Bank',
  },
}

export const startTestAuthorize = async (options: TestOptions = {}): Promise<TestAuthorize> => {
  const sandbox = await startTestSandbox(options)
  const { url } = sandbox

  const send: TestAuthorize['send'] = async (body) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/authorize/xml/v1/request.api`, { method: 'POST', headers, body })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, text: bytes.toString() }
  }

  const call: TestAuthorize['call'] = async (name, fields = {}, loginId = LOGIN_ID) => {
    const merchantAuthentication = { name: loginId, transactionKey: 'key' }
    const { status, text } = await send(JSON.stringify({ [name]: { merchantAuthentication, ...fields } }))
    expect([status, text[0]]).toEqual([200, '\uFEFF'])
    return JSON.parse(text.slice(1))
  }

  const transact: TestAuthorize['transact'] = async (fields, loginId) =>
    call('createTransactionRequest', { transactionRequest: fields }, loginId)

  return {
    ...sandbox,
    send,
    call,
    transact,
    pay: async (fields = {}, loginId) => {
      const { transactionType = 'authCaptureTransaction', amount = '10.00', payment = CARD, zip = '98004' } = fields
      const { invoiceNumber = `inv-${Math.random().toString(36).slice(2, 12)}`, currencyCode, duplicateWindow } = fields
      const setting = duplicateWindow === undefined ? [] : [{ settingName: 'duplicateWindow', settingValue: duplicateWindow }]
      return transact(
        {
          transactionType,
          amount,
          ...(currencyCode === undefined ? {} : { currencyCode }),
          payment,
          order: { invoiceNumber, description: 'Invoice 1' },
          billTo: { firstName: 'Ann', lastName: 'Smith', zip },
          transactionSettings: { setting },
        },
        loginId,
      )
    },
    lookUp: async (transId, loginId) => (await call('getTransactionDetailsRequest', { transId }, loginId)).transaction,
  }
}
