import { jsonBody, send, startTestSandbox, type TestOptions, type TestResponse, type TestSandbox } from '../../test/test-sandbox.ts'

/** The sandbox's Pinch for one test file, with its own folder and port. */
export interface TestPinch extends TestSandbox {
  /** A call of the API in test mode with a bearer token; with `bearer: ''` without one. */
  call(method: string, path: string, body?: unknown, options?: { bearer?: string; mode?: string }): Promise<TestResponse>
  /** Asks the token server for a bearer token. */
  authenticate(account?: string, secret?: string): Promise<TestResponse>
  /** Enters a card as a browser does; its token. */
  cardToken(card?: object): Promise<string>
  bankToken(account?: object): Promise<string>
  /** A payer with one card; their ids. */
  payerWithCard(card?: object): Promise<{ payerId: string; sourceId: string }>
  payerWithAccount(): Promise<{ payerId: string; sourceId: string }>
}

const ACCOUNT = 'app_acme'
export const CARD = { cardNumber: '4242424242424242', cvc: '123', expiryMonth: 12, expiryYear: 2039, cardHolderName: 'Ben Hotdog' }

export const startTestPinch = async (options: TestOptions = {}): Promise<TestPinch> => {
  const sandbox = await startTestSandbox(options)
  const { url } = sandbox
  const authenticate: TestPinch['authenticate'] = (account = ACCOUNT, secret = 'sk_test_secret') =>
    send(`${url}/pinch/connect/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${account}:${secret}`)}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&scope=api1',
    })
  const ownBearer = (await authenticate()).body.access_token as string

  const call: TestPinch['call'] = (method, path, body, { bearer = ownBearer, mode = 'test' } = {}) =>
    send(`${url}/pinch/${mode}${path}`, {
      method,
      ...jsonBody(body, bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
    })
  const tokenize = async (fields: object): Promise<string> => {
    const answer = await call('POST', '/tokens', { publishableKey: `pk_test_${ACCOUNT}`, ...fields }, { bearer: '' })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body.token
  }
  const cardToken: TestPinch['cardToken'] = (card = {}) => tokenize({ ...CARD, ...card })
  const bankToken: TestPinch['bankToken'] = (account = {}) =>
    tokenize({ bankAccountName: 'Ben Hotdog', bankAccountRouting: '000-001', bankAccountNumber: '1234567890', ...account })
  const payerWith = async (source: object) => {
    const { body } = await call('POST', '/payers', { firstName: 'Ben', lastName: 'Hotdog', emailAddress: 'ben@mailinator.example', source })
    return { payerId: body.id as string, sourceId: body.sources[0].id as string }
  }

  return {
    ...sandbox,
    call,
    authenticate,
    cardToken,
    bankToken,
    payerWithCard: async (card) => payerWith({ sourceType: 'credit-card', token: await cardToken(card) }),
    payerWithAccount: async () => payerWith({ sourceType: 'bank-account', token: await bankToken() }),
  }
}
