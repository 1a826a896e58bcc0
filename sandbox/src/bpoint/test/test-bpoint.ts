import { jsonBody, send, startTestSandbox, type TestOptions, type TestResponse, type TestSandbox } from '../../test/test-sandbox.ts'

export interface CallOptions {
  /** The merchant number; an empty one calls as a browser does. */
  readonly merchant?: string
  readonly password?: string
  readonly signal?: AbortSignal
}

/** The sandbox's BPOINT for one test file, with its own folder and port. */
export interface TestBpoint extends TestSandbox {
  /** A call of the API below /rest/v5. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<TestResponse>
  /** Opens a key with details, and attaches a method to it as a browser does. */
  prepareTxn(method?: object, details?: object): Promise<string>
  /** Pays with a method. */
  pay(method?: object, details?: object, options?: CallOptions): Promise<TestResponse>
  /** Stores a method; its token. */
  store(method?: object, details?: object): Promise<TestResponse>
}

export const MERCHANT = '5353109000000000'

export const card = (more: object = {}) => ({
  card: { number: '5123456789012346', expiry: { month: '05', year: '39' }, cvn: '123', name: 'Jane Citizen', ...more },
})
export const bank = (more: object = {}) => ({ bank: { bsb: '062000', account: '12345678', name: 'Jane Citizen', ...more } })

export const startTestBpoint = async (options: TestOptions = {}): Promise<TestBpoint> => {
  const sandbox = await startTestSandbox(options)
  const { url } = sandbox

  const call: TestBpoint['call'] = async (method, path, body, { merchant = MERCHANT, password = 'secret', signal } = {}) =>
    send(`${url}/bpoint/rest/v5${path}`, {
      method,
      ...jsonBody(body, merchant === '' ? {} : { authorization: `Basic ${btoa(`user|${merchant}:${password}`)}` }),
      ...(signal === undefined ? {} : { signal }),
    })

  const prepareTxn: TestBpoint['prepareTxn'] = async (method = card(), details = {}) => {
    const key = (await call('POST', '/txns/authkeys', {})).body.authkey
    await call('PUT', `/txns/authkeys/${key}/txn-details`, { amount: 1_000, crn1: '7', merchantReference: 'a:1', ...details })
    await call('PUT', `/txns/authkeys/${key}/payment-method`, method, { merchant: '' })
    return key
  }

  return {
    ...sandbox,
    call,
    prepareTxn,
    pay: async (method, details, callOptions) =>
      call('POST', `/txns/authkeys/${await prepareTxn(method, details)}/process`, {}, callOptions),
    store: async (method = card(), details = { crn1: '7' }) => {
      const key = (await call('POST', '/tokens/authkeys', {})).body.authkey
      await call('PUT', `/tokens/authkeys/${key}/token-details`, details)
      await call('PUT', `/tokens/authkeys/${key}/payment-method`, method, { merchant: '' })
      return call('POST', `/tokens/authkeys/${key}/process`, {})
    },
  }
}
