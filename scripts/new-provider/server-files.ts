import { capitalize } from './words.ts'

const settings = (name: string): string => `import { type Static, Type } from 'typebox'

/** The settings of a reseller's account at ${name}. */
export const ${capitalize(name)}Settings = Type.Object({ secret: Type.String({ minLength: 1 }) }, { additionalProperties: false })
export type ${capitalize(name)}Settings = Static<typeof ${capitalize(name)}Settings>
`

const provider = (name: string, type: number): string => `import type { PaymentProvider } from '../provider.ts'
import { ${capitalize(name)}Settings } from './${name}.settings.ts'

const NOT_WRITTEN = 'this call is not written yet'

/** ${capitalize(name)} (payment type ${type}). */
export const ${name}: PaymentProvider<${capitalize(name)}Settings> = {
  name: '${name}',
  settings: ${capitalize(name)}Settings,
  // No host is its production until one is named here.
  liveHosts: /^$/,
  idempotency: 'never',
  takes: [],
  // A look-up that finds nothing proves nothing until the provider's documents say after how long it does.
  absentIsFinalAfterMs: null,
  pathFamily: '${name}',
  storeMethod: async () => ({ state: 'unknown', detail: NOT_WRITTEN }),
  removeMethod: async () => {
    throw new Error(NOT_WRITTEN)
  },
  chargeStoredMethod: async () => ({ state: 'not_sent', detail: NOT_WRITTEN }),
  lookUp: async () => ({ state: 'unknown', detail: NOT_WRITTEN }),
  redact: () => '[not shown]',
}
`

const test = (name: string): string => `import { afterAll, beforeAll } from 'vitest'
import { createHttpClient } from '../../../kit/outgoing-http.ts'
import { testConformance } from '../../../../test/payments/conformance.ts'
import { type TestSandbox, testSandbox } from '../../../../test/payments/sandbox.ts'
import { createProviderCache } from '../../accounts/provider-cache.ts'
import { ${name} } from './${name}.ts'

const SECRET = 'a secret of the conformance tests'
const transcripts: string[] = []
let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.close())

const context = () => ({
  settings: { secret: SECRET },
  baseUrl: \`\${sandbox.url}/${name}\`,
  http: createHttpClient({
    timeoutMs: 1_500,
    scrub: (text) => ${name}.redact(text),
    record: (transcript) => void transcripts.push(transcript),
  }),
  now: new Date(),
  cache: createProviderCache(() => new Date()),
})

testConformance('${name}', {
  provider: ${name},
  sandbox: () => sandbox,
  context: context as never,
  transcripts,
  secrets: [SECRET],
  operation: 'charge',
  amount: { minor: 11_000n, currency: 'AUD' },
  givesReferenceFirst: false,
  goodMethod: async () => ({ token: 'a stored method', kind: 'card', providerCustomerId: null, details: {} }),
  declining: {},
})
`

const readme = (name: string, type: number): string => `# ${capitalize(name)}

Payment type ${type}.

| File | Content |
|---|---|
| \`${name}.ts\` | the provider: what it brings, and its calls |
| \`${name}.settings.ts\` | the settings of a reseller's account |

Write down here: the keys that make a repeated call safe, how an unknown outcome is found out and after how long, what has to be set at the provider, and what no test here can show.
`

/** The provider's folder in the server, by path. It moves no money until its calls are written. */
export const serverFiles = (name: string, type: number): Record<string, string> => {
  const folder = `server/src/payments/providers/${name}`
  return {
    [`${folder}/${name}.settings.ts`]: settings(name),
    [`${folder}/${name}.ts`]: provider(name, type),
    [`${folder}/${name}.test.ts`]: test(name),
    [`${folder}/README.md`]: readme(name, type),
  }
}
