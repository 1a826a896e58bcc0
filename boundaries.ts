import type { OxlintOverride } from 'oxlint'

/**
 * The walls of the house, one sentence each; oxlint holds them (docs/decisions/0008).
 * A later override replaces the patterns of an earlier one, so each entry sums the walls that hold for its files.
 */
const wall = (regex: string, message: string) => ({ regex, message })

const noServer = wall('^@counterfoil/(server|sandbox)(/|$)', 'The portal speaks to the server only through @counterfoil/contract.')
const noOurs = wall('^@counterfoil/', 'The sandbox pretends to be the outside world; it shares no code with the house.')
const noFramework = wall('^(?!typebox(/|$)|\\.)', 'The contract is data and pure functions; typebox is its only dependency.')
const noSiblingArea = wall('^\\.\\./[a-z-]+/', 'Portal areas never import one another; lift the shared part into shell/ or ui/.')
const noCousinArea = wall('^\\.\\./\\.\\./[a-z-]+/', 'Portal areas never import one another; lift the shared part into shell/ or ui/.')
const noShell = wall('(shell|areas)/', 'ui/ knows no billing and no router; it never looks up at shell/ or areas/.')
const noRouter = wall('^(react-router|@tanstack/react-query)', 'ui/ knows no billing and no router.')
const areaDesk = wall('^\\.\\./[a-z-]+/.*\\.(queries|routes|rules)\\.ts$', 'Areas meet only at their .service.ts.')
const noDb = wall('(^kysely$|^pg$|db/database\\.ts$)', 'Only *.queries.ts speak to the database.')
const noSql = wall('^(kysely|pg)$', 'Only *.queries.ts speak SQL.')
const noUpstairs = wall('/areas/', 'kit/, session/, sso/ and payments/ never look up at the areas.')

const noWayOut = {
  regex: '^(node:)?https?$',
  importNames: ['request', 'get', 'default'],
  message: 'The way out is server/src/kit/outgoing-http.ts.',
}

const walls = (...patterns: { regex: string; message: string; importNames?: string[] }[]): NonNullable<OxlintOverride['rules']> => ({
  'no-restricted-imports': ['error', { patterns }],
})

export const overrides: OxlintOverride[] = [
  { files: ['contract/src/**'], rules: walls(noFramework) },
  { files: ['sandbox/src/**'], rules: walls(noOurs) },
  { files: ['portal/src/**'], rules: walls(noServer) },
  { files: ['portal/src/ui/**'], rules: walls(noServer, noShell, noRouter) },
  { files: ['portal/src/areas/**'], rules: walls(noServer, noSiblingArea) },
  { files: ['portal/src/areas/*/*/**'], rules: walls(noServer, noCousinArea) },
  {
    files: [
      'server/src/kit/**',
      'server/src/http/**',
      'server/src/db/**',
      'server/src/rate-limits/**',
      'server/src/session/**',
      'server/src/audit/**',
      'server/src/sso/**',
    ],
    rules: walls(noUpstairs),
  },
  { files: ['server/src/payments/**'], rules: walls(noUpstairs, noSql, noWayOut) },
  { files: ['server/src/payments/**/*.queries.ts'], rules: walls(noUpstairs, noWayOut) },
  { files: ['server/src/areas/**'], rules: walls(areaDesk, noDb) },
  { files: ['server/src/areas/**/*.queries.ts'], rules: walls(areaDesk) },
  {
    files: ['**/*.test.ts', '**/*.test.tsx', '**/*.e2e.ts'],
    rules: { 'no-restricted-imports': 'off', 'max-lines': 'off', 'unicorn/consistent-function-scoping': 'off' },
  },
]
