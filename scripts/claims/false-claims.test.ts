import { expect, test } from 'vitest'
import { type Facts, falseClaims } from './false-claims.ts'
import { standingNames } from './standing-names.ts'
import { valuesOf } from './values.ts'

const MIGRATIONS = [
  'create table debt (our_ref text, paid_at timestamptz); create view old_sums as select 1;',
  '-- compatible\nalter table debt rename column our_ref to reference;\ndrop view if exists old_sums;',
]
const SOURCE = `const MINUTE = 60_000\nconst SHUTDOWN_GRACE_MS = 20_000\nconst CODE_LIFETIME_MS = 5 * MINUTE\nconst MAX_BODY_BYTES = 64 * 1_024
const PAUSES_MS = [500, 2_000] as const\nconst RULES = {\n  maxRows: 250,\n}\nconst SETTINGS = { STOP_DELAY_MS: Type.String({ default: '2000' }) }`

/** What the checker says of a document with this text, in a repository of a few files. */
const check = (text: string, path = 'docs/guide.md'): readonly string[] => {
  const paths = ['docs/', path, 'server/', 'server/src/', 'server/src/engine/', 'server/src/engine/claim.ts', 'server/src/debt.rules.ts']
  const values = new Map<string, number[]>()
  for (const [name, value] of valuesOf(SOURCE)) values.set(name, [...(values.get(name) ?? []), value])
  const facts: Facts = {
    files: { paths: paths.join('\n'), documents: new Map([[path, text]]) },
    commands: {
      commands: new Map([
        ['payments settle', new Set(['--as', '--yes'])],
        ['payments show', new Set()],
        ['import usage', new Set(['--no-trust'])],
      ]),
      scripts: new Map([
        ['test:kill', new Set(['--kills'])],
        ['docs', new Set()],
      ]),
      options: new Set(['--as', '--kills']),
    },
    words: new Set([...(SOURCE.match(/\w+/g) ?? []), 'chargeCard', 'payment', 'failed', ...standingNames(MIGRATIONS)]),
    values,
  }
  return falseClaims(path, facts)
}

const TRUE: readonly string[] = [
  '`engine/claim.ts`, `server/src/engine/`, `claim.ts`, `server/src/<area>/`, `.rules.ts`, [the code](../server/src/engine/claim.ts)',
  '## Who pays?\n\nsee [above](#who-pays) and [elsewhere](https://example.com/x.md)',
  '`npx counterfoil payments settle ID --as paid --yes`, `payments show|settle`, `counterfoil payments …`, `payments settle --json`',
  '`npm run test:kill -- --kills 3`, `npm run docs`, `--kills 3`, `npm ci`',
  '```sh\nnpx counterfoil payments settle ID \\\n  --as paid && npm run docs\n```\n```ts\ncounterfoil nonsense\n```',
  '`STOP_DELAY_MS=0`, `debt`, `reference`, `chargeCard()`, `payment.failed`, `…_minor`',
  'A job has 20 seconds (`SHUTDOWN_GRACE_MS`). A code lives five minutes <!-- CODE_LIFETIME_MS -->.',
  '| body | 64 KB or 65,536 bytes <!-- MAX_BODY_BYTES --> |\n| `STOP_DELAY_MS` | two seconds |\n| `PAUSES_MS` | 500 ms, 2 s |',
  'At most 250 rows (`maxRows`). Banks wait 60 days <!-- not ours -->. HTTP 503, port 5432, PostgreSQL 15, on 20 November 2026.',
  '<!-- endpoints -->\n`no_such_table` in 5 days\n<!-- /endpoints -->',
]

test('what is so is not reported', () => {
  for (const text of TRUE) expect(check(text)).toEqual([])
})

const FALSE: readonly (readonly [text: string, said: string])[] = [
  ['`engine/clam.ts`', '`engine/clam.ts` is no file or folder'],
  ['`server/src/motor/`', '`server/src/motor/` is no file or folder'],
  ['[code](../server/src/clam.ts)', 'the link ../server/src/clam.ts leads to no file'],
  ['[above](#who-pays)', 'the link #who-pays leads to no heading'],
  ['`npx counterfoil payments settel ID`', 'counterfoil has no command payments settel'],
  ['`payments settel ID`', 'counterfoil has no command payments settel'],
  ['`payments show|forget`', 'counterfoil has no command payments forget'],
  ['```sh\nnpx counterfoil payments settle ID --until May\n```', 'counterfoil payments settle has no option --until'],
  ['`payments settle ID --until May`', 'counterfoil payments settle has no option --until'],
  ['`npm run dox`', 'package.json has no script dox'],
  ['`npm run test:kill -- --hangs 3`', 'npm run test:kill has no option --hangs'],
  ['`--hangs`', 'nothing has the option --hangs'],
  ['`START_DELAY_MS=0`', 'the code knows no `START_DELAY_MS=0`'],
  ['`old_sums`', 'the code knows no `old_sums`'],
  ['`our_ref`', 'the code knows no `our_ref`'],
  ['`chargeCart()`', 'the code knows no `chargeCart()`'],
  ['`payment.forgotten`', 'the code knows no `payment.forgotten`'],
  ['A job has 30 seconds (`SHUTDOWN_GRACE_MS`).', '"30 seconds" is not the value of SHUTDOWN_GRACE_MS'],
  ['A code lives ten minutes <!-- CODE_LIFETIME_MS -->.', '"ten minutes" is not the value of CODE_LIFETIME_MS'],
  ['A job has 20 seconds. So says `SHUTDOWN_GRACE_MS`.', '"20 seconds" names no constant'],
  ['At most 300 rows.', '"300 rows" names no constant'],
]

test('a false file, link, command, option, setting, table, constant or number is reported with its line', () => {
  for (const [text, said] of FALSE) {
    const line = text.startsWith('```') ? 4 : 3
    expect(check(`# Guide\n\n${text}`)).toEqual([`docs/guide.md:${line}: ${said}`])
  }
})

test('a measurement needs no constant, nor does a rule of a provider; a constant beside it must have the value', () => {
  expect(check('It took 30 s on 3 May.', 'docs/performance.md')).toEqual([])
  expect(check('Banks return for 60 days.', 'docs/operating/stripe.md')).toEqual([])
  expect(check('It waits 60 days (`CODE_LIFETIME_MS`).', 'docs/operating/stripe.md')).toHaveLength(1)
})
