import StripeClient from 'stripe'
import { send, startTestSandbox, type TestOptions, type TestResponse, type TestSandbox } from '../../test/test-sandbox.ts'

/** The sandbox's Stripe for one test file, with its own folder and port. */
export interface TestStripe extends TestSandbox {
  /** Stripe's own library, connected to the sandbox, without retries. */
  readonly client: StripeClient
  clientOf(key: string): StripeClient
  /** An API request with the secret key. */
  call(method: string, path: string, form?: string, headers?: Readonly<Record<string, string>>): Promise<TestResponse>
  /** An API request with the publishable key, as Stripe.js makes it. */
  callFromPage(path: string, form: Readonly<Record<string, string>>): Promise<TestResponse>
}

export const SECRET_KEY = 'sk_test_bench_secret'
export const PUBLISHABLE_KEY = 'pk_test_bench_page'

export const startTestStripe = async (options: TestOptions = {}): Promise<TestStripe> => {
  const sandbox = await startTestSandbox(options)
  const { url } = sandbox

  const clientOf = (key: string): StripeClient =>
    new StripeClient(key, {
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: StripeClient.createFetchHttpClient(async (address: string | URL | Request, init?: RequestInit) => {
        const { pathname, search } = new URL(String(address))
        return fetch(`${url}/stripe${pathname}${search}`, init)
      }),
    })

  const call: TestStripe['call'] = (method, path, form, headers = {}) =>
    send(`${url}/stripe${path}`, {
      method,
      headers: { authorization: `Bearer ${SECRET_KEY}`, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      ...(form === undefined ? {} : { body: form }),
    })

  return {
    ...sandbox,
    client: clientOf(SECRET_KEY),
    clientOf,
    call,
    callFromPage: (path, form) =>
      call('POST', path, new URLSearchParams({ key: PUBLISHABLE_KEY, ...form }).toString(), { authorization: '' }),
  }
}
