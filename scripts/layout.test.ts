import { expect, test } from 'vitest'
import { crowdedFolders, misplacedFiles } from './layout/check-files.ts'
import { providerLeaks } from './layout/check-providers.ts'

test.each([
  'server/src/utils.ts',
  'server/src/areas/usage/helper.ts',
  'server/src/areas/usage/usage-totals.ts', // none of the four roles
  'portal/src/areas/usage/usage.manager.tsx',
  'server/src/somewhere/thing.ts',
  'docs/decisions/no-number.md',
])('a file where none belongs is found: %s', (path) => {
  expect(misplacedFiles([path, 'server/src/areas/usage/usage.routes.ts'])).toEqual([expect.stringContaining(path)])
})

test('a folder with more than twenty source files is found; tests are not counted', () => {
  const files = Array.from({ length: 20 }, (_, index) => `server/src/kit/file-${index}.ts`)

  expect(crowdedFolders([...files, 'server/src/kit/file-1.test.ts'])).toEqual([])
  expect(crowdedFolders([...files, 'server/src/kit/one-more.ts'])).toEqual([expect.stringContaining('server/src/kit: 21')])
})

test.each([
  ['server/src/payments/engine/charge.ts', "if (provider.name === 'stripe') charge()"],
  ['portal/src/areas/payment-methods/add-card.tsx', 'const bpointForm = null'],
  ['server/src/payments/accounts/accounts.ts', '/** Only Nexio wants it. */'],
  ['server/src/payments/accounts/fees.rules.ts', "const NAMES = ['authorize', 'pinch']"],
])('a provider that is named outside its own folders is found: %s', (path, text) => {
  expect(providerLeaks(path, text).length).toBeGreaterThan(0)
})

test.each([
  ['server/src/payments/providers/stripe/stripe.ts', 'export const stripe = {}'],
  ['server/src/areas/payment-methods/payment-methods.rules.ts', 'const { stripeCard } = body'],
  ['server/src/areas/sign-in/sso.routes.ts', 'redirect to /authorize of the identity provider'],
  ['portal/src/ui/grid/grid-row.tsx', 'const striped = true'],
])('a name that belongs there is none: %s', (path, text) => {
  expect(providerLeaks(path, text)).toEqual([])
})
