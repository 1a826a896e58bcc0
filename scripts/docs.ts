/**
 * Writes the parts of the documents that follow from the code: the endpoints in docs/architecture.md, the tests in docs/features.md and the
 * index of docs/decisions.
 *
 *   node scripts/docs.ts           writes them
 *   node scripts/docs.ts --check   fails when one is stale, or when a document names what is not there or a number that no constant has
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { falseClaims, isDocument } from './claims/false-claims.ts'
import { withDecisions } from './docs/decision-table.ts'
import { withEndpoints } from './docs/endpoint-table.ts'
import { withFeatureTests } from './docs/feature-tests.ts'

const read = (path: string): string => readFileSync(path, 'utf8')

const testFiles = () =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => /\.(test|e2e)\.tsx?$/.test(path) && !path.startsWith('scripts/') && existsSync(path))
    .map((path) => ({ path, text: read(path) }))

const decisions = () =>
  readdirSync('docs/decisions')
    .filter((file) => file !== 'README.md')
    .toSorted()
    .map((file) => ({ file, text: read(`docs/decisions/${file}`) }))

const DOCUMENTS: Readonly<Record<string, (document: string) => string>> = {
  'docs/architecture.md': withEndpoints,
  'docs/features.md': (document) => withFeatureTests(document, testFiles()),
  'docs/decisions/README.md': (document) => withDecisions(document, decisions()),
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const stale: string[] = []
for (const [path, update] of Object.entries(DOCUMENTS)) {
  const before = read(path)
  const after = update(before)
  if (before === after) continue
  stale.push(path)
  if (!values.check) writeFileSync(path, after)
}
if (values.check && stale.length > 0) {
  console.error(`docs: ${stale.join(', ')} no longer says what the code says; run npm run docs`)
  process.exit(1)
}
if (values.check) {
  const { readFacts } = await import('./claims/repository.ts')
  const facts = await readFacts()
  const wrong = [...facts.files.documents.keys()].filter(isDocument).flatMap((path) => falseClaims(path, facts))
  if (wrong.length > 0) {
    console.error(`docs: ${wrong.length} things are named that are not so\n  ${wrong.join('\n  ')}`)
    process.exit(1)
  }
}
console.log(values.check ? 'docs: every generated part is up to date, and what is named exists' : `docs: ${stale.length} documents written`)
