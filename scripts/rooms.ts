interface Room {
  /** Paths that stand in this room. */
  readonly pattern: RegExp
  /** What the room is for, as docs/house.md tells it. */
  readonly what: string
}

const room = (pattern: RegExp, what: string): Room => ({ pattern, what })

/** An area's word: kebab-case. */
const WORD = '[a-z]+(?:-[a-z]+)*'
/** Words that say nothing about what a file is for; no file may be called so. */
const EMPTY_WORDS = '(?!(?:.*[./-])?(?:utils?|helpers?|common|misc|manager|handler|process|data2|index)\\.)'
const NAME = `${EMPTY_WORDS}[a-z0-9]+(?:-[a-z0-9]+)*`

const inside = (folder: string, rest: string): RegExp => new RegExp(`^${folder}/${rest}$`)

/** Every room of the house. A file in none of them fails the check. */
export const ROOMS: readonly Room[] = [
  room(/^(README|CONTRIBUTING|LICENSE|NOTICE)(\.md)?$/, 'the front door'),
  room(/^(package|package-lock|tsconfig\.base|biome|knip)\.json$/, 'settings of the tools'),
  room(/^(oxlint\.config|vitest\.config|boundaries|knip)\.ts$/, 'settings of the tools'),
  room(/^\.(gitignore|npmrc|editorconfig|gitattributes)$/, 'settings of the tools'),
  room(/^\.ci\/run$/, 'what continuous integration runs'),
  room(inside('docs', `${NAME}\\.md`), 'what people read'),
  room(/^docs\/decisions\/\d{4}-[a-z0-9-]+\.md$/, 'binding decisions, one page each'),
  room(inside('scripts', `(tsconfig\\.json|${NAME}(\\.test)?\\.ts)`), 'the commands of package.json'),
  room(/^(contract|server|portal|sandbox|e2e|bench)\/(package|tsconfig)\.json$/, 'a workspace and its settings'),

  room(inside('contract/src', 'endpoints\\.ts'), 'every call by its area'),
  room(inside('contract/src/kit', `(${WORD}/)?${NAME}(\\.test)?\\.ts`), 'what both sides agree on, whatever the area'),
  room(inside('contract/src/areas', `${WORD}\\.ts`), 'the shapes and calls of one area'),

  room(/^server\/bin\/counterfoil\.js$/, 'the command line’s door'),
  room(
    inside('server/src', '(app|areas|config|counterfoil|house|serve|test-[a-z-]+|(config|doors|house)\\.test)\\.ts'),
    'what the server is made of',
  ),
  room(
    inside('server/src/areas', `(${WORD})/${NAME}(\\.(routes|queries|rules|service|settings))?(\\.test)?\\.ts`),
    'one area’s door, queries, rules and service',
  ),
  room(inside('server/src/kit', `(embedded/|tables/)?${NAME}(\\.test)?\\.ts`), 'what knows no billing'),
  room(inside('server/src/session', `${NAME}(\\.queries)?(\\.test)?\\.ts`), 'who is asking'),
  room(inside('server/src/sso', `${NAME}(\\.queries)?(\\.test)?\\.ts`), 'companies that sign their people in, and their providers'),
  room(inside('server/src/audit', `${NAME}(\\.queries)?(\\.test)?\\.ts`), 'who did what, kept so that nobody can change it'),
  room(inside('server/src/documents', `${NAME}(\\.test|\\.d)?\\.ts`), 'what is drawn off the main thread'),
  room(inside('server/src/imports', `(${WORD}/)?${NAME}(\\.(queries|rules|service|data))?(\\.test)?\\.ts`), 'readers of foreign formats'),
  room(inside('server/src/operator', `(${WORD}/)?${NAME}(\\.(queries|rules))?(\\.test)?\\.ts`), 'the command line, one file a command'),
  room(inside('server/src/jobs', `${NAME}(\\.queries)?(\\.test)?\\.ts`), 'what the worker does'),
  room(inside('server/src/payments', `${NAME}(\\.(queries|rules|routes))?(\\.test)?\\.ts`), 'money’s own floor: the engine'),
  room(inside('server/src/payments/faults', `${NAME}(\\.queries)?(\\.test)?\\.ts`), 'the engine’s fault bench, tests alone'),
  room(
    inside('server/src/payments/providers', `(${WORD}/)?(README\\.md|${NAME}(\\.(wire|settings|data))?(\\.test)?\\.ts)`),
    'one payment company each, behind one door',
  ),
  room(inside('server/src/mail', `${NAME}(\\.queries|\\.service)?(\\.test)?\\.ts`), 'what is sent to people'),
  room(/^server\/src\/migrations\/\d{4}-[a-z0-9-]+\.sql$/, 'the schema, forward only'),
  room(
    inside('server/src/demo-world', `(${WORD}/)?${NAME}(\\.queries|\\.rules)?(\\.test)?\\.ts`),
    'the believable resellers of a first look',
  ),
  room(inside('server/src/test-bench', `${NAME}(\\.setup)?\\.ts`), 'databases for the tests'),

  room(/^portal\/(index|login|public|pay)\.html$/, 'the portal’s documents'),
  room(inside('portal', `(vite\\.config|${NAME}\\.plugin)\\.ts`), 'how the portal is built'),
  room(inside('portal/src', `${NAME}(\\.test)?\\.tsx?`), 'the portal’s entries and its map'),
  room(
    inside('portal/src/api', `${NAME}(\\.data)?(\\.test)?\\.tsx?`),
    'sending calls, the session, and the queries that several areas share',
  ),
  room(inside('portal/src/format', `${NAME}(\\.test)?\\.ts`), 'money, numbers, days and sizes as text'),
  room(
    inside('portal/src/payments', `(providers/(${WORD}/){0,2})?${NAME}(\\.module|\\.data)?(\\.test)?\\.(tsx?|css)`),
    'what paying screens share, and one folder for each payment provider',
  ),
  room(inside('portal/src/public', `${NAME}(\\.module|\\.data)?(\\.test)?\\.(tsx?|css)`), 'pages before sign-in'),
  room(
    inside('portal/src/shell', `(${WORD}/)?${NAME}(\\.module)?(\\.test)?\\.(tsx?|css)`),
    'frame, header, menu, sections and brand theme',
  ),
  room(inside('portal/src/ui', `(${WORD}/)?${NAME}(\\.module)?(\\.test)?\\.(tsx?|css)`), 'what knows no billing and no router'),
  room(
    inside('portal/src/areas', `(${WORD})/(${WORD}/)?${NAME}(\\.module|\\.data)?(\\.test)?\\.(tsx?|css)`),
    'one area’s screen, parts and data',
  ),

  room(
    inside(
      'sandbox/src',
      `(${WORD}/)?(README\\.md|${NAME}(\\.routes|\\.settings|\\.sandbox)?(\\.test)?\\.(ts|css)|${NAME}\\.browser\\.js)`,
    ),
    'the outside world, pretended',
  ),
  room(inside('e2e/src', `${NAME}(\\.e2e|\\.setup)?\\.ts`), 'the whole product in a browser'),
  room(inside('bench/src', `${NAME}(\\.test)?\\.ts`), 'speed, as ratios measured side by side'),
]
