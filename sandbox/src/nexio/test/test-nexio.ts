import { constants, createPublicKey, publicEncrypt } from 'node:crypto'
import { send, startTestSandbox, type TestOptions, type TestResponse, type TestSandbox } from '../../test/test-sandbox.ts'

export interface CallOptions {
  readonly user?: string
  readonly password?: string
  readonly signal?: AbortSignal
}

/** The sandbox's Nexio for one test file, with its own folder and port. */
export interface TestNexio extends TestSandbox {
  /** A call of the API with a user name and a password; with `user: ''` without both. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<TestResponse>
  /** The digits, encrypted as a browser does. */
  encrypt(digits: string): Promise<string>
  /** Stores a card; its token. */
  saveCard(number?: string, options?: CallOptions): Promise<string>
  /** Stores a bank account; its token. */
  saveECheck(options?: CallOptions): Promise<string>
}

const USER = 'bench@acme.example'

export const startTestNexio = async (options: TestOptions = {}): Promise<TestNexio> => {
  const sandbox = await startTestSandbox(options)
  const { url } = sandbox

  const call: TestNexio['call'] = async (method, path, body, { user = USER, password = 'secret', signal } = {}) =>
    send(`${url}/nexio${path}`, {
      method,
      headers: {
        ...(user === '' ? {} : { authorization: `Basic ${btoa(`${user}:${password}`)}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })

  const encrypt = async (digits: string): Promise<string> => {
    const spki = Buffer.from(await (await fetch(`${url}/nexio/public-key`)).text(), 'base64')
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(digits)).toString('base64')
  }

  const newToken = async (callOptions?: CallOptions): Promise<string> => (await call('POST', '/pay/v3/token', {}, callOptions)).body.token

  return {
    ...sandbox,
    call,
    encrypt,
    saveCard: async (number = '4111111111111111', callOptions = {}) => {
      const [token, encryptedNumber] = [await newToken(callOptions), await encrypt(number)]
      const card = { encryptedNumber, expirationMonth: '12', expirationYear: '2039', cardHolderName: 'Sam Lu', securityCode: '123' }
      return (await call('POST', '/pay/v3/saveCard', { token, card }, { user: '' })).body.token.token
    },
    saveECheck: async (callOptions = {}) => {
      const [token, encryptedBankAccountNumber] = [await newToken(callOptions), await encrypt('000123456789')]
      const bank = { accountHolderName: 'Jane Doe', routingNumber: '231375151', encryptedBankAccountNumber }
      return (await call('POST', '/pay/v3/saveECheck', { token, bank }, { user: '' })).body.token.token
    },
  }
}
