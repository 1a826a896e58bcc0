interface FolderRule {
  /** Paths that this rule allows. */
  readonly pattern: RegExp
  /** What stands there, as docs/architecture.md describes it. */
  readonly holds: string
}

const allow = (pattern: RegExp, holds: string): FolderRule => ({ pattern, holds })

/** An area's word, and the name of any folder: kebab-case. */
const WORD = '[a-z]+(?:-[a-z]+)*'
/** Words that say nothing about what a file is for; no file may be called so. */
const EMPTY_WORDS = '(?!(?:.*[./-])?(?:utils?|helpers?|common|misc|manager|(?<!error-)handler|process|data2|index)\\.)'
const NAME = `${EMPTY_WORDS}[a-z0-9]+(?:-[a-z0-9]+)*`
const ROLE = '(?:routes|service|queries|rules)'

const inside = (folder: string, rest: string): RegExp => new RegExp(`^${folder}/${rest}$`)

/** Where a tracked file may stand. A file that no rule allows fails the check. */
export const FOLDERS: readonly FolderRule[] = [
  allow(/^(README|CONTRIBUTING|LICENSE|NOTICE)(\.md)?$/, 'what a visitor reads first'),
  allow(/^(package|package-lock|tsconfig\.base|biome|knip)\.json$/, 'settings of the tools'),
  allow(/^(oxlint\.config|vitest\.config|boundaries)\.ts$/, 'settings of the tools'),
  allow(/^\.(gitignore|npmrc|editorconfig|gitattributes)$/, 'settings of the tools'),
  allow(/^\.ci\/run$/, 'what continuous integration runs'),
  allow(inside('docs', `(operating/)?${NAME}\\.md`), 'the documents'),
  allow(/^docs\/pictures\/[a-z-]+\.png$/, 'the pictures of the README'),
  allow(/^docs\/samples\/(README\.md|[a-z-]+\.(csv|json))$/, 'a small file of every kind that can be imported'),
  allow(/^docs\/decisions\/(README|\d{4}-[a-z0-9-]+)\.md$/, 'decisions, one page each, and their index'),
  allow(inside('scripts', `(tsconfig\\.json|(${WORD}/)?${NAME}(\\.test)?\\.ts)`), 'the commands of package.json'),
  allow(/^(contract|server|portal|sandbox|e2e|bench)\/(package|tsconfig)\.json$/, 'a workspace and its settings'),

  allow(inside('contract/src', 'endpoints\\.ts'), 'every endpoint by its area'),
  allow(inside('contract/src/kit', `(${WORD}/)?${NAME}(\\.test)?\\.ts`), 'what both sides agree on, whatever the area'),
  allow(inside('contract/src/areas', `${WORD}\\.ts`), 'the shapes and endpoints of one area'),
  allow(inside('contract/src/areas/user', `${NAME}\\.ts`), 'what a signed-in person changes of the own account'),
  allow(inside('contract/src/areas/providers', `${WORD}\\.ts`), 'the paths that one payment provider has for itself'),

  allow(/^server\/bin\/counterfoil\.js$/, 'the executable'),
  allow(inside('server/src', `(app|areas|config|context|counterfoil|serve)\\.ts`), 'the server put together'),
  allow(inside('server/src', `${NAME}\\.test\\.ts`), 'tests of the whole server'),
  allow(inside('server/src/areas', `${WORD}/(${WORD}/)?${NAME}\\.${ROLE}\\.ts`), 'one area: routes, service, queries, rules'),
  allow(inside('server/src/areas', `${WORD}/(${WORD}/)?${NAME}(\\.${ROLE})?\\.test\\.ts`), 'the tests of one area'),
  allow(/^server\/src\/migrations\/\d{4}-[a-z0-9-]+\.sql$/, 'the schema, forward only'),
  allow(
    inside(
      'server/src',
      `(http|db|kit|session|sso|audit|mail|master-key|rate-limits|jobs|queue|payments|documents|imports|cli|demo|usage-store|distribution)/(${WORD}/){0,2}(README\\.md|${NAME}(\\.(${ROLE}|data|settings|paths|wire|d))?(\\.test)?\\.ts)`,
    ),
    'what the areas stand on',
  ),
  allow(
    inside('server/test', `(${WORD}/){1,2}${NAME}(\\.(queries|setup|driver))?(\\.test)?\\.ts`),
    'test support: databases, people, payments',
  ),
  allow(inside('server/test/support/fonts', `${NAME}\\.ttf`), 'a font of a few letters, for the tests of documents'),

  allow(/^portal\/(index|login|public|pay)\.html$/, 'the HTML pages of the portal'),
  allow(inside('portal', `(vite\\.config|shared-chunks|browser-floor|${NAME}\\.plugin)\\.ts`), 'how the portal is built'),
  allow(inside('portal/src', `${NAME}(\\.test)?\\.tsx?`), 'the entries of the HTML pages, and the routes'),
  allow(
    inside('portal/src', `(api|format|payments|public|shell|ui)/(${WORD}/){0,3}${NAME}(\\.module|\\.data)?(\\.test)?\\.(tsx?|css)`),
    'what the screens stand on',
  ),
  allow(
    inside('portal/src/areas', `${WORD}/(${WORD}/)?${NAME}(\\.module|\\.data)?(\\.test)?\\.(tsx?|css)`),
    'one area: page, data, components',
  ),

  allow(
    inside(
      'sandbox/src',
      `(${WORD}/){0,2}(README\\.md|${NAME}(\\.routes|\\.settings|\\.sandbox)?(\\.test)?\\.(ts|css)|${NAME}\\.browser\\.js)`,
    ),
    'the fake outside world',
  ),
  allow(inside('e2e/src', `(${WORD}/){0,2}${NAME}(\\.e2e|\\.setup|\\.driver|\\.test)?\\.ts`), 'the whole product in a browser'),
  allow(inside('bench/src', `(${WORD}/)?${NAME}(\\.test)?\\.ts`), 'speed, as ratios measured side by side'),
]
