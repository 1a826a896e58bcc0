import type { OxlintOverride } from 'oxlint'

/**
 * The walls of the house, one sentence each; oxlint holds them (docs/decisions/0008).
 * A later override replaces the patterns of an earlier one, so each entry sums the walls that hold for its files.
 */
const wall = (regex: string, message: string) => ({ regex, message })

const noServer = wall('^@counterfoil/(server|sandbox)(/|$)', 'The portal speaks to the server only through @counterfoil/contract.')
const noOurs = wall('^@counterfoil/', 'The sandbox pretends to be the outside world; it shares no code with the house.')
const noFramework = wall('^(?!typebox(/|$)|\\.)', 'The contract is data and pure functions; typebox is its only dependency.')
const noSiblingArea = wall(
  '^\\.\\./[a-z-]+/',
  'Portal areas never import one another; move the shared part to api/, format/, payments/, public/, shell/ or ui/.',
)
const noCousinArea = wall(
  '^\\.\\./\\.\\./[a-z-]+/',
  'Portal areas never import one another; move the shared part to api/, format/, payments/, public/, shell/ or ui/.',
)
const noShell = wall(
  '/(api|format|payments|public|shell|areas)/',
  'ui/ knows no billing and no router; it imports nothing from the other folders of portal/src.',
)
const noAreas = wall('/areas/', 'Only the entries and routes.tsx of the portal import its areas.')
const noProviderFolder = wall(
  '/providers/[a-z]+/',
  'Everything of a payment provider is reached through portal/src/payments/providers/registry.ts.',
)
const noRouter = wall('^(react-router|@tanstack/react-query)', 'ui/ knows no billing and no router.')
const areaDesk = wall('^\\.\\./[a-z-]+/.*\\.(queries|routes|rules)\\.ts$', 'Areas meet only at their .service.ts.')
const noDb = wall('(^kysely$|^pg$|kit/db\\.ts$)', 'Only *.queries.ts speak to the database.')
const noSql = wall('^(kysely|pg)$', 'Only *.queries.ts speak SQL.')
const noUpstairs = wall('/areas/', 'kit/, session/, sso/ and payments/ never look up at the areas.')

const noWayOut = {
  regex: '^(node:)?https?$',
  importNames: ['request', 'get', 'default'],
  message: 'The way out is server/src/kit/http.ts.',
}

const walls = (...patterns: { regex: string; message: string; importNames?: string[] }[]): NonNullable<OxlintOverride['rules']> => ({
  'no-restricted-imports': ['error', { patterns }],
})

export const overrides: OxlintOverride[] = [
  { files: ['contract/src/**'], rules: walls(noFramework) },
  { files: ['sandbox/src/**'], rules: walls(noOurs) },
  { files: ['portal/src/**'], rules: walls(noServer, noProviderFolder) },
  { files: ['portal/src/{api,format,payments,public,shell}/**'], rules: walls(noServer, noProviderFolder, noAreas) },
  { files: ['portal/src/ui/**'], rules: walls(noServer, noShell, noRouter) },
  { files: ['portal/src/areas/**'], rules: walls(noServer, noSiblingArea, noProviderFolder) },
  { files: ['portal/src/areas/*/*/**'], rules: walls(noServer, noCousinArea, noProviderFolder) },
  { files: ['server/src/kit/**', 'server/src/session/**', 'server/src/audit/**', 'server/src/sso/**'], rules: walls(noUpstairs) },
  { files: ['server/src/payments/**'], rules: walls(noUpstairs, noSql, noWayOut) },
  { files: ['server/src/payments/**/*.queries.ts'], rules: walls(noUpstairs, noWayOut) },
  { files: ['server/src/areas/**'], rules: walls(areaDesk, noDb) },
  { files: ['server/src/areas/**/*.queries.ts'], rules: walls(areaDesk) },
  {
    files: ['**/*.test.ts', '**/*.test.tsx', '**/*.e2e.ts'],
    rules: { 'no-restricted-imports': 'off', 'max-lines': 'off', 'unicorn/consistent-function-scoping': 'off' },
  },
]
