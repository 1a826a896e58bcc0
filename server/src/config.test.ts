import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { OperatorError } from './kit/api-error.ts'
import { DEFAULT_LIMITS } from './rate-limits/limits.ts'

test('without any setting the server listens on this machine alone, on port 3000, with the embedded database', () => {
  expect(readConfig({})).toMatchObject({
    port: 3_000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    dataDir: './.counterfoil',
    databaseUrl: null,
    masterKey: null,
    sandboxPort: 3_900,
    logLevel: 'info',
    trustedProxies: [],
    metricsOpen: false,
    metricsToken: null,
    metricsPort: null,
    limits: DEFAULT_LIMITS,
    fontsDir: null,
    stopDelayMs: 2_000,
  })
})

test('settings are read as what they mean, and an empty one counts as absent', () => {
  const settings = {
    PORT: '8080',
    PUBLIC_URL: 'https://billing.example.com/',
    DATABASE_URL: '',
    MASTER_KEY: 'aB'.repeat(32),
    TRUSTED_PROXIES: '10.0.0.1, 10.0.0.0/8',
    METRICS: 'open',
    LIMITS: 'account=20/15m, user=5/s',
  }
  expect(readConfig(settings)).toMatchObject({
    port: 8_080,
    publicUrl: 'https://billing.example.com',
    databaseUrl: null,
    masterKey: Buffer.alloc(32, 0xab),
    trustedProxies: ['10.0.0.1', '10.0.0.0/8'],
    metricsOpen: true,
    metricsToken: null,
    metricsPort: null,
    limits: { ...DEFAULT_LIMITS, account: { burst: 20, refillMs: 45_000 }, user: { burst: 5, refillMs: 200 } },
  })
  expect(readConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
})

const LIMIT_NAMES =
  'account, device, address, network, refresh, email, requester, link, company, payment, payer, paylink, slowmode, paypage, report, user, anonymous, page'
const LIMIT = (part: string): string =>
  `The setting LIMITS is not usable at "${part}": write ${LIMIT_NAMES} as name=count/time, for example account=10/15m.`

const PROXIES = 'The setting TRUSTED_PROXIES is not usable: it must be addresses or networks with commas, such as 10.0.0.5,10.1.0.0/16.'

test.each([
  ['PORT', 'http', 'The setting PORT is not usable: it must be a port number.'],
  ['PORT', '65536', 'The setting PORT is not usable: it must be a port number, at most 65535.'],
  ['PORT', '-1', 'The setting PORT is not usable: it must be a port number.'],
  ['SANDBOX_PORT', '99999', 'The setting SANDBOX_PORT is not usable: it must be a port number, at most 65535.'],
  [
    'PUBLIC_URL',
    'billing.example.com',
    'The setting PUBLIC_URL is not usable: it must be an address such as https://billing.example.com, without a path.',
  ],
  [
    'PUBLIC_URL',
    'https://x.example/portal',
    'The setting PUBLIC_URL is not usable: it must be an address such as https://billing.example.com, without a path.',
  ],
  [
    'DATABASE_URL',
    'mysql://x/y',
    'The setting DATABASE_URL is not usable: it must be an address such as postgres://user:password@host:5432/database.',
  ],
  ['MASTER_KEY', 'secret', 'The setting MASTER_KEY is not usable: it must be 64 hexadecimal digits.'],
  [
    'OPERATOR_EMAIL',
    'desk@example.com, boss@example.com',
    'The setting OPERATOR_EMAIL is not usable: it must be one email address, such as payments@example.com.',
  ],
  ['LOG_LEVEL', 'loud', 'The setting LOG_LEVEL is not usable: it must be one of trace, debug, info, warn, error, fatal, silent.'],
  ['METRICS', 'public', 'The setting METRICS is not usable: it must be loopback or open.'],
  ['LIMITS', 'account', LIMIT('account')],
  ['LIMITS', 'account=10/15m everybody=1/1s', LIMIT('everybody=1/1s')],
  ['LIMITS', 'account=0/15m', LIMIT('account=0/15m')],
  ['LIMITS', 'account=10/0m', LIMIT('account=10/0m')],
  ['LIMITS', 'account=10/15', LIMIT('account=10/15')],
  ['LIMITS', 'constructor=10/15m', LIMIT('constructor=10/15m')],
  ['TRUSTED_PROXIES', 'proxy.example', PROXIES],
  ['TRUSTED_PROXIES', '10.0.0.0/33', PROXIES],
  ['TRUSTED_PROXIES', '10.0.0.1,,10.0.0.2', PROXIES],
  ['TRUSTED_PROXIES', '10.0.0.0/8/8', PROXIES],
])('the setting %s=%s is refused in a sentence that says what it must be', (name, value, sentence) => {
  expect(() => readConfig({ [name]: value })).toThrow(new OperatorError(sentence))
})

test('a refused secret is not in the message', () => {
  expect(() => readConfig({ MASTER_KEY: 'hunter2' })).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hunter2') }))
})
