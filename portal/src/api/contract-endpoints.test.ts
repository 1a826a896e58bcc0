import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { build, type Plugin } from 'vite'
import { contractEndpoints } from '../../contract-endpoints.plugin.ts'

const PORTAL = fileURLToPath(new URL('../..', import.meta.url))

const entry = (code: string): Plugin => ({
  name: 'test:entry',
  resolveId: (id) => (id === 'test-entry.js' ? `${PORTAL}src/test-entry.js` : null),
  load: (id) => (id.endsWith('src/test-entry.js') ? code : null),
})

/** What the browser would get of a module with this text. */
const bundleOf = async (code: string): Promise<string> => {
  const result = await build({
    root: PORTAL,
    configFile: false,
    logLevel: 'silent',
    plugins: [contractEndpoints(), entry(code)],
    build: { write: false, minify: false, rolldownOptions: { input: 'test-entry.js' } },
  })
  if (Array.isArray(result) || !('output' in result)) throw new Error('the build gave no output')
  return result.output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n')
}

test('the browser gets paths and constants of the contract, but neither schemas nor descriptions', async () => {
  const code = await bundleOf(
    `import { signIn, PORTAL_CLIENT } from '@counterfoil/contract/sign-in'
     import { invoices } from '@counterfoil/contract/invoices'
     import { addDays } from '@counterfoil/contract/kit/day'
     console.log(signIn, PORTAL_CLIENT, invoices, addDays)`,
  )
  const read = (text: string): boolean => code.includes(text)
  expect(['/token', '/v1/ec/invoices/{id}', 'application/pdf', 'counterfoil-portal', '864e5'].filter((text) => !read(text))).toEqual([])
  expect(['typebox', '~kind', 'maxLength', 'RFC 7009', 'summary'].filter(read)).toEqual([])
})

test('a build that would ship the schema library fails and names it', async () => {
  const planted = bundleOf(`import { Day } from '@counterfoil/contract/kit/day'\nconsole.log(Day)`)
  await expect(planted).rejects.toThrow(/ships schemas to the browser: .*typebox/s)
})

test('a schema of an area cannot be imported into the browser at all', async () => {
  await expect(bundleOf(`import { TokenAnswer } from '@counterfoil/contract/sign-in'\nconsole.log(TokenAnswer)`)).rejects.toThrow(
    /TokenAnswer/,
  )
})
