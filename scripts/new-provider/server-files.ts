import { capitalize, type NewProvider } from './provider-names.ts'

const settings = (name: string): string => `import { type Static, Type } from 'typebox'

/** The settings of a reseller's account at ${capitalize(name)}. */
export const ${capitalize(name)}Settings = Type.Object({ secret: Type.String({ minLength: 1 }) }, { additionalProperties: false })
export type ${capitalize(name)}Settings = Static<typeof ${capitalize(name)}Settings>
`

const provider = (name: string, type: number): string => `import type { ProviderOf } from '../provider.ts'
import { toDecline } from './${name}-declines.ts'
import { ${capitalize(name)}Settings } from './${name}.settings.ts'

const NOT_WRITTEN = 'this call is not written yet'

/** ${capitalize(name)} (payment type ${type}). */
export const ${name}: ProviderOf<${capitalize(name)}Settings> = {
  name: '${name}',
  reviewText: 'Say where an operator finds a payment at ${capitalize(name)}.',
  // A charge without an answer is never sent again, until its documents name a key that makes the second one harmless.
  idempotency: 'never',
  // A look-up that finds nothing proves nothing until the provider's documents say after how long it does.
  notFoundMeansUnpaidAfterMs: null,
  account: {
    settings: ${capitalize(name)}Settings,
    // A key is not a name: say which setting tells this account from every other, or ask with \`identify\`.
    identifyingSettings: ['secret'],
    // No host is its production until one is named here.
    liveHosts: /^$/,
  },
  entry: { accepts: ['token'] },
  storing: {
    pathFamily: '${name}',
    store: async () => toDecline('not_written'),
    remove: async () => {
      throw new Error(NOT_WRITTEN)
    },
  },
  prepareStoredMethodCharge: async () => ({ state: 'not_sent', detail: NOT_WRITTEN }),
  lookUp: async () => ({ state: 'unknown', detail: NOT_WRITTEN }),
  redact: () => '[not shown]',
}
`

const declines = (Name: string): string => `import type { Decline, DeclineReason } from '../decline.ts'

/** Our reasons for ${Name}'s codes; the default is \`card_declined\`. A code that its documents do not name is no decline: it is unknown. */
const REASONS_BY_CODE: Readonly<Record<string, DeclineReason>> = {
  not_written: 'not_configured',
}

export const toDecline = (providerCode: string): Decline => ({
  state: 'declined',
  reason: REASONS_BY_CODE[providerCode] ?? 'card_declined',
  userMessage: 'Your card was declined.',
  providerCode,
})
`

const paths = (
  name: string,
  Name: string,
): string => `import { type ${Name}Card, ${name}Methods } from '@counterfoil/contract/providers/${name}'
import type { MethodPaths } from '../method-paths.ts'
import type { MethodRow } from '../method.ts'

/** The paths for the cards stored at ${Name}. */
export const ${name}Paths: MethodPaths = {
  pathFamily: '${name}',
  register: (route, methods) => {
    route(${name}Methods.${name}Cards, async (request) => (await methods.list(request, 'card')).map((row) => to${Name}Card(row)))
    route(${name}Methods.add${Name}Card, (request, { body }) =>
      methods.store(request, { type: 'card', typedMethod: { kind: 'token', token: body.token } }),
    )
    route(${name}Methods.remove${Name}Card, (request, { params }) => methods.remove(request, params.id, 'card'))
    route(${name}Methods.make${Name}Default, (request, { body }) => methods.makeDefault(request, body.id))
  },
}

/** A stored card in the form of the API. */
const to${Name}Card = ({ id, isDefault, details }: MethodRow): ${Name}Card => ({
  id,
  isDefault,
  ${name}Card: { brand: details.brand ?? null, last4: details.last4 ?? null },
})
`

const driver = (name: string, type: number): string => `import { ${name} } from '../../../src/payments/providers/${name}/${name}.ts'
import type { ProviderDriver } from './provider-driver.ts'

const SECRET = 'a secret of the conformance tests'

export const ${name.toUpperCase()}: ProviderDriver = {
  name: '${name}',
  type: ${type},
  currency: 'AUD',
  settings: (id) => ({ secret: \`secret of \${id}\` }),
  leavesToOperator: true,
  knowsRepetitions: false,
  cardFields: async () => ({ cardToken: 'a token' }),
  store: {},
  adapter: {
    provider: ${name},
    settings: { secret: SECRET },
    secrets: [SECRET],
    givesReferenceFirst: false,
    enterCard: async () => ({ card: { typedMethod: { kind: 'token', token: 'a token' } } }),
    declining: {},
  },
}
`

const readme = (name: string, type: number): string => `# ${capitalize(name)}

Payment type ${type}.

| File | Content |
|---|---|
| \`${name}.ts\` | the provider: what it brings, and its calls |
| \`${name}.settings.ts\` | the settings of a reseller's account |
| \`${name}-declines.ts\` | the provider's codes, and what they mean here |
| \`${name}.paths.ts\` | the API's paths for stored methods |

**What makes a repeated call safe.** The form of our reference there, and whether the same one moves money twice.

**What decides.** Which field is the explicit yes, which codes are a decline; every other answer is unknown.

**An unknown outcome.** By what it is looked up, and after how long finding nothing proves that nothing was charged.

**Refunds.** Before and after settlement, in parts or not, and what a lost answer means.

**Webhooks, returns, reconciliation.** What is signed and how; which list tells of returned debits; which list is compared.

## What no test here shows

- The real ${capitalize(name)}.
`

/** The provider's folder in the server, by path. It moves no money until its calls are written. */
export const serverFiles = ({ name, type }: NewProvider): Record<string, string> => {
  const [folder, Name] = [`server/src/payments/providers/${name}`, capitalize(name)]
  return {
    [`${folder}/${name}.settings.ts`]: settings(name),
    [`${folder}/${name}.ts`]: provider(name, type),
    [`${folder}/${name}-declines.ts`]: declines(Name),
    [`${folder}/${name}.paths.ts`]: paths(name, Name),
    [`server/test/payments/providers/${name}.driver.ts`]: driver(name, type),
    [`${folder}/README.md`]: readme(name, type),
  }
}
