import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand, runJsonCommand } from '../../test/support/operator.ts'
import { addBrand, addReseller } from '../../test/support/people.ts'
import { type TestContext, testContext } from '../../test/support/test-app.ts'
import { IMPORT_KINDS } from './records/kinds.data.ts'

const SAMPLES = fileURLToPath(new URL('../../../docs/samples/', import.meta.url))
const KINDS = [...IMPORT_KINDS.map(({ name }) => name), 'usage', 'focus']

let context: TestContext
beforeAll(async () => {
  context = await testContext()
})
afterAll(() => context.close())

test('[OPS-03] docs/samples has a file of every kind of import, and each is imported whole', async () => {
  const reseller = await addReseller(context, { name: 'Example Telecom' })
  await addBrand(context, reseller, { name: 'Example' })
  const files = readdirSync(SAMPLES).filter((name) => name.endsWith('.csv'))
  expect(files.toSorted()).toEqual(KINDS.map((kind) => `${kind}.csv`).toSorted())
  for (const kind of KINDS) {
    const words = [
      'import',
      kind,
      `${SAMPLES}${kind}.csv`,
      '--reseller',
      'Example Telecom',
      ...(kind === 'focus' ? ['--brand', 'Example'] : []),
    ]
    const { importId } = await runJsonCommand<{ importId: number | null }>(context, ...words)
    expect(importId, kind).not.toBeNull()
  }
  const shown = await runCommand(context, 'invoice', 'show', '2026-1001')
  expect(shown.out).toMatch(/^2026-1001 .* 110\.00 AUD.*10\.00 {2}Mobile data: Data abroad.*10\.00 {2}GST 10 %/s)
  expect((await runJsonCommand<{ invoices: object[] }>(context, 'invoice', 'list', '--customer', '501')).invoices).toMatchObject([
    { amount: '14.11', currency: 'USD' },
  ])
})
