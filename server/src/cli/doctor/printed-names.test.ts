import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBrand, addCustomer, addReseller } from '../../../test/support/people.ts'
import { type TestContext, testContext } from '../../../test/support/test-app.ts'
import { databaseFindings } from './database-findings.ts'
import type { Finding } from './finding.ts'
import { printedNameFindings } from './printed-names.ts'

let context: TestContext
const folder = mkdtempSync(join(tmpdir(), 'counterfoil-fonts-'))

beforeAll(async () => {
  context = await testContext()
})
afterAll(async () => {
  await context.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What the doctor says about fonts. */
const examineFonts = async (): Promise<readonly Finding[]> =>
  (await databaseFindings(context.store, context.config, context.clock)).filter(({ about }) => about === 'fonts')

test('[OPS-03] doctor names the customers whose names no font can print', async () => {
  const reseller = await addReseller(context, {})
  const brand = await addBrand(context, reseller)
  await addCustomer(context, reseller, brand, { label: 'Łódź شركة' })
  expect(await examineFonts()).toMatchObject([{ state: 'good' }])
  await addCustomer(context, reseller, brand, { label: '東京電力' })
  const says = expect.stringMatching(/^Customers: 1 name has .*東京電力/) as string
  expect(await examineFonts()).toMatchObject([{ state: 'warning', says, mend: expect.stringContaining('FONTS_DIR') as string }])
})

test('[OPS-03] doctor names a folder of fonts that is not there, and files in it that are no fonts or were cut', async () => {
  const font = readFileSync(new URL('../../../test/support/fonts/noto-sans-jp-sample.ttf', import.meta.url))
  writeFileSync(join(folder, 'broken.ttf'), 'no font')
  writeFileSync(join(folder, 'cut.ttf'), font.subarray(0, font.length - 1_000))
  for (const [fontsDir, said] of [
    ['/no/such/folder', '/no/such/folder'],
    [folder, 'broken.ttf'],
    [folder, 'cut.ttf'],
  ] as const)
    expect(await printedNameFindings(context.store, fontsDir)).toMatchObject([
      { state: 'bad', says: expect.stringContaining(said) as string },
    ])
  expect(await printedNameFindings(context.store, null)).toMatchObject([{ about: 'fonts' }])
})
