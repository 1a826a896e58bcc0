import { defineConfig } from 'oxlint'
import { overrides } from './boundaries.ts'

const ban = (name: string, message: string) => ({ name, message })
const noFetch = ban('fetch', 'HTTP goes out through server/src/kit/outgoing-http.ts and portal/src/api/send-request.ts alone.')
const noStorage = ban('localStorage', 'Only portal/src/api/session.ts and the choice of columns use localStorage.')
const noDate = ban('Date', 'Days are UTC strings and instants come from a clock; Date lives in kit/ and in portal/src/format/.')

const MAX_CODE_LINES = 250

/** Rules for every file; which folder may import what is in boundaries.ts. */
export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'react', 'jsx-a11y', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  ignorePatterns: ['**/dist/**', '**/node_modules/**'],
  rules: {
    'max-lines': ['error', { max: MAX_CODE_LINES, skipBlankLines: true, skipComments: true }],
    'import/no-default-export': 'error',
    'import/no-cycle': 'error',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'no-console': 'off',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'react/react-in-jsx-scope': 'off',
    'import/no-unassigned-import': 'off',
    'promise/no-promise-in-callback': 'off',
    'unicorn/require-post-message-target-origin': 'off', // a thread has no origin
    'import/no-named-as-default-member': 'off',
    'no-restricted-globals': ['error', noFetch, noStorage, noDate],
  },
  overrides: [
    ...overrides,
    { files: ['*.config.ts', '**/*.config.ts', 'scripts/progress-reporter.ts'], rules: { 'import/no-default-export': 'off' } },
    {
      files: [
        'contract/src/kit/day.ts',
        'server/src/kit/**',
        'server/src/http/**',
        'server/src/db/**',
        'server/src/rate-limits/**',
        'server/src/session/**',
        'server/src/sso/**',
        'server/src/demo/**',
        'server/test/**',
      ],
      rules: { 'no-restricted-globals': ['error', noFetch, noStorage] },
    },
    {
      files: [
        'server/src/sso/provider-fetch.ts',
        'server/test/payments/sandbox.ts',
        'server/test/payments/payments-fixture.ts',
        'server/test/payments/providers/*.driver.ts',
        'server/test/payments/test-*.ts',
        'server/test/payments/killed-servers/{killed-servers,mixed-payers}.ts',
      ],
      rules: { 'no-restricted-globals': ['error', noStorage] },
    },
    { files: ['portal/src/format/**'], rules: { 'no-restricted-globals': ['error', noFetch, noStorage] } },
    { files: ['portal/src/api/send-request.ts'], rules: { 'no-restricted-globals': ['error', noStorage, noDate] } },
    {
      files: ['portal/src/api/session.ts', 'portal/src/ui/grid/hidden-columns.ts'],
      rules: { 'no-restricted-globals': ['error', noFetch, noDate] },
    },
    {
      files: ['sandbox/**', 'e2e/**', 'bench/**', 'scripts/**', '**/*.test.ts', '**/*.test.tsx'],
      rules: { 'no-restricted-globals': 'off' },
    },
  ],
})
