import { ENDPOINTS } from '@counterfoil/contract/endpoints'
import { expect, test } from 'vitest'
import { withDecisions } from './docs/decision-table.ts'
import { endpointTable, withEndpoints } from './docs/endpoint-table.ts'
import { withFeatureTests } from './docs/feature-tests.ts'

test('the table has one row for each endpoint of the contract, with its area', () => {
  const rows = endpointTable().split('\n').slice(2)
  const endpoints = Object.entries(ENDPOINTS).flatMap(([area, ofArea]) => Object.values(ofArea).map((endpoint) => ({ area, endpoint })))

  expect(rows).toHaveLength(endpoints.length)
  for (const { area, endpoint } of endpoints)
    expect(
      rows.filter((row) => row.startsWith(`| \`${endpoint.method} ${endpoint.path}\` |`) && row.endsWith(`| \`${area}\` |`)),
    ).toHaveLength(1)
})

test('only what stands between the marks is replaced', () => {
  const document = `# Title\n<!-- endpoints -->\n| stale |\n<!-- /endpoints -->\nThe end.\n`

  expect(withEndpoints(document)).toBe(`# Title\n<!-- endpoints -->\n${endpointTable()}\n<!-- /endpoints -->\nThe end.\n`)
  expect(() => withEndpoints('# Title')).toThrow('lacks the marks')
})

const FEATURES = '| Id | What works | Shown by |\n|---|---|---|\n| AB-01 | One thing | stale |\n| AB-02 | Another | stale |'

test('the tests of a feature are found by the ids in their titles', () => {
  const files = [
    { path: 'server/src/b.test.ts', text: "test('[AB-01] it works')" },
    { path: 'e2e/src/a.e2e.ts', text: "test('[AB-01, AB-02] they work'); test('[AB-01] again')" },
  ]

  expect(withFeatureTests(FEATURES, files).split('\n').slice(2)).toEqual([
    '| AB-01 | One thing | [a.e2e.ts](../e2e/src/a.e2e.ts) [b.test.ts](../server/src/b.test.ts) |',
    '| AB-02 | Another | [a.e2e.ts](../e2e/src/a.e2e.ts) |',
  ])
  expect(withFeatureTests(FEATURES, [])).toContain('| AB-02 | Another | none yet |')
})

test('a row that stands twice, and a test of an id without a row, are refused', () => {
  expect(() => withFeatureTests(`${FEATURES}\n| AB-01 | Again | stale |`, [])).toThrow('AB-01 has two rows')
  expect(() => withFeatureTests(FEATURES, [{ path: 'a.test.ts', text: "test('[ZZ-09] it works')" }])).toThrow('ZZ-09')
})

test('the index of decisions has a line for each, and refuses one without a title', () => {
  const index = '<!-- decisions -->\n<!-- /decisions -->'

  expect(withDecisions(index, [{ file: '0001-one.md', text: '# 0001 · One word\n' }])).toContain('| [0001](0001-one.md) | One word |')
  expect(() => withDecisions(index, [{ file: '0002-two.md', text: 'Two' }])).toThrow('0002-two.md')
})
