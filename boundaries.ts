import type { OxlintOverride } from 'oxlint'

/**
 * Which folder may import what, with the message of each rule; oxlint enforces them.
 * A later override replaces the patterns of an earlier one, so each entry lists every rule for its files.
 */
const boundary = (regex: string, message: string) => ({ regex, message })

const noServer = boundary('^@counterfoil/(server|sandbox)(/|$)', 'The portal speaks to the server only through @counterfoil/contract.')
const noOurs = boundary('^@counterfoil/', 'The sandbox pretends to be the outside world; it shares no code with the product.')
const noFramework = boundary('^(?!typebox(/|$)|\\.)', 'The contract is data and pure functions; typebox is its only dependency.')
const noSiblingArea = boundary(
  '^\\.\\./[a-z-]+/',
  'Portal areas never import one another; move the shared part to api/, format/, payments/, public/, shell/ or ui/.',
)
const noCousinArea = boundary(
  '^\\.\\./\\.\\./[a-z-]+/',
  'Portal areas never import one another; move the shared part to api/, format/, payments/, public/, shell/ or ui/.',
)
const noShell = boundary(
  '/(api|format|payments|public|shell|areas)/',
  'ui/ knows no billing and no router; it imports nothing from the other folders of portal/src.',
)
const noAreas = boundary('/areas/', 'Only the entries and routes.tsx of the portal import its areas.')
const noProviderFolder = boundary(
  '/providers/[a-z]+/',
  'Everything of a payment provider is reached through portal/src/payments/providers/registry.ts.',
)
const noRouter = boundary('^(react-router|@tanstack/react-query)', 'ui/ knows no billing and no router.')
const noAreaInternals = boundary('^\\.\\./[a-z-]+/.*\\.(queries|routes|rules)\\.ts$', 'Areas meet only at their .service.ts.')
const noCousinInternals = boundary('^\\.\\./\\.\\./[a-z-]+/.*\\.(queries|routes|rules)\\.ts$', 'Areas meet only at their .service.ts.')
const noDb = boundary('(^kysely$|^pg$|db/database\\.ts$)', 'Only *.queries.ts speak to the database.')
const noSql = boundary('^(kysely|pg)$', 'Only *.queries.ts speak SQL.')
/** The folders of server/src, and the files beside them that others import, from the lowest to the highest. */
export const SERVER_LAYERS = [
  'kit',
  'documents',
  'db',
  'usage-store',
  'distribution',
  'rate-limits',
  'queue',
  'sso',
  'config.ts',
  'session',
  'audit',
  'master-key',
  'mail',
  'context.ts',
  'http',
  'payments',
  'areas',
  'demo',
  'imports',
  'jobs',
  'cli',
  'areas.ts',
  'app.ts',
] as const

/** A folder imports none of those above it. */
export const noClimbing = (layer: (typeof SERVER_LAYERS)[number]) => {
  const above = SERVER_LAYERS.slice(SERVER_LAYERS.indexOf(layer) + 1).map((name) =>
    name.endsWith('.ts') ? name.replace('.', '\\.') : `${name}/`,
  )
  return boundary(
    `^${layer.endsWith('.ts') ? '\\./' : '(\\.\\./)+'}(${above.join('|')})`,
    `${layer} never imports what lies above it (SERVER_LAYERS in boundaries.ts).`,
  )
}

const noMinting = {
  regex: 'session/scope\\.ts$',
  importNames: ['mintScope'],
  message: 'A scope is granted by the access check, a payment link or a stored attempt; only their queries mint one.',
}

const noPermits = {
  regex: '/charge-permit\\.ts$',
  importNames: ['mintChargePermit'],
  message: 'Only engine/submit-charge.ts grants the permit to move money, once the fence is passed.',
}

const noDirectHttp = {
  regex: '^(node:)?https?$',
  importNames: ['request', 'get', 'default'],
  message: 'HTTP goes out through server/src/kit/outgoing-http.ts alone.',
}

/** Those of which none grants a scope. */
const HIGH_LAYERS: ReadonlySet<string> = new Set(['mail', 'imports', 'demo', 'cli'])

const boundaries = (...patterns: { regex: string; message: string; importNames?: string[] }[]): NonNullable<OxlintOverride['rules']> => ({
  'no-restricted-imports': ['error', { patterns }],
})

export const overrides: OxlintOverride[] = [
  { files: ['contract/src/**'], rules: boundaries(noFramework) },
  { files: ['sandbox/src/**'], rules: boundaries(noOurs) },
  { files: ['portal/src/**'], rules: boundaries(noServer, noProviderFolder) },
  { files: ['portal/src/{api,format,payments,public,shell}/**'], rules: boundaries(noServer, noProviderFolder, noAreas) },
  { files: ['portal/src/ui/**'], rules: boundaries(noServer, noShell, noRouter) },
  { files: ['portal/src/areas/**'], rules: boundaries(noServer, noSiblingArea, noProviderFolder) },
  { files: ['portal/src/areas/*/*/**'], rules: boundaries(noServer, noCousinArea, noProviderFolder) },
  ...SERVER_LAYERS.slice(0, -1).map((layer) => {
    const files = layer.endsWith('.ts') ? [`server/src/${layer}`] : [`server/src/${layer}/**`]
    return { files, rules: boundaries(noClimbing(layer), ...(HIGH_LAYERS.has(layer) ? [noMinting] : [])) }
  }),
  { files: ['server/src/payments/**'], rules: boundaries(noClimbing('payments'), noSql, noDirectHttp, noMinting, noPermits) },
  { files: ['server/src/payments/engine/submit-charge.ts'], rules: boundaries(noClimbing('payments'), noSql, noDirectHttp, noMinting) },
  { files: ['server/src/payments/**/*.queries.ts'], rules: boundaries(noClimbing('payments'), noDirectHttp) },
  { files: ['server/src/areas/**'], rules: boundaries(noClimbing('areas'), noAreaInternals, noDb, noMinting) },
  { files: ['server/src/areas/**/*.queries.ts'], rules: boundaries(noClimbing('areas'), noAreaInternals, noMinting) },
  { files: ['server/src/areas/*/*/**'], rules: boundaries(noClimbing('areas'), noCousinInternals, noDb, noMinting) },
  { files: ['server/src/areas/*/*/*.queries.ts'], rules: boundaries(noClimbing('areas'), noCousinInternals, noMinting) },
  {
    files: ['**/*.test.ts', '**/*.test.tsx', '**/*.e2e.ts'],
    rules: { 'no-restricted-imports': 'off', 'max-lines': 'off', 'unicorn/consistent-function-scoping': 'off' },
  },
]
