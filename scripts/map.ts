/**
 * The map of the house: every call that the contract declares, and the rooms that it lives in.
 *
 *   node scripts/map.ts                  prints it
 *   node scripts/map.ts --write [FILE]   puts it between the marks of FILE (docs/house.md unless told otherwise)
 *   node scripts/map.ts --check [FILE]   fails when FILE says something else
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ENDPOINTS } from '@counterfoil/contract/endpoints'
import type { Endpoint } from '@counterfoil/contract/kit/http/endpoint'

const BEGIN = '<!-- map -->'
const END = '<!-- /map -->'

const WHO: Readonly<Record<Endpoint['access'], string>> = {
  public: 'anyone',
  user: 'a signed-in user',
  customer: 'a user acting for a customer',
}

const row = (area: string, call: Endpoint): string => {
  const open = call.sections?.map((section) => `\`${section}\``).join(' or ') ?? 'always'
  return `| \`${call.method} ${call.path}\` | ${WHO[call.access]} | ${open} | \`${area}\` |`
}

const map = (): string => {
  const areas = Object.entries<Readonly<Record<string, Endpoint>>>(ENDPOINTS)
  const rows = areas.flatMap(([area, calls]) => Object.values(calls).map((call) => row(area, call)))
  return ['| Call | Who may make it | Open while the brand shows | Room |', '|---|---|---|---|', ...rows].join('\n')
}

const withMap = (file: string): { before: string; after: string } => {
  const before = readFileSync(file, 'utf8')
  const [from, to] = [before.indexOf(BEGIN), before.indexOf(END)]
  if (from < 0 || to < from) {
    console.error(`map: ${file} lacks the marks ${BEGIN} and ${END}`)
    process.exit(1)
  }
  return { before, after: `${before.slice(0, from)}${BEGIN}\n${map()}\n${before.slice(to)}` }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})
const [file = 'docs/house.md'] = positionals

if (values.check) {
  const { before, after } = withMap(file)
  if (before !== after) {
    console.error(`map: ${file} does not say what the contract says; run node scripts/map.ts --write`)
    process.exit(1)
  }
  console.log(`map: ${file} is true`)
} else if (values.write) writeFileSync(file, withMap(file).after)
else console.log(map())
