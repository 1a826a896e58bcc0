/**
 * `npm run new:provider NAME TYPE`: writes the form of a payment provider that is not there yet: its folders in contract, server, portal
 * and sandbox, the migration of its payment type, its operator's page, its entries in every list, and its driver, with which the tests of
 * providers fail.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { PAYMENT_TYPES } from '../contract/src/kit/payments/payment-type.ts'
import { contractFiles } from './new-provider/contract-files.ts'
import { documentFiles } from './new-provider/document-files.ts'
import { listChanges } from './new-provider/list-entries.ts'
import { migrationFiles } from './new-provider/migration-files.ts'
import { portalFiles } from './new-provider/portal-files.ts'
import { sandboxFiles } from './new-provider/sandbox-files.ts'
import { serverFiles } from './new-provider/server-files.ts'

const fail = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const USAGE = 'Usage: npm run new:provider NAME TYPE, with a name of small letters and a payment type that is not used yet, from 1 to 99.'

const [name = '', typed = ''] = process.argv.slice(2)
if (!/^[a-z]{2,20}$/.test(name) || !/^[1-9]\d?$/.test(typed)) fail(USAGE)
const provider = { name, type: Number(typed) }

const types: Readonly<Record<string, number>> = PAYMENT_TYPES
if (types[name] !== undefined) fail(`The provider "${name}" is there already.`)
const owner = Object.entries(types).find(([, type]) => type === provider.type)?.[0]
if (owner !== undefined) fail(`Payment type ${provider.type} is the provider "${owner}".`)

const files = {
  ...contractFiles(provider),
  ...serverFiles(provider),
  ...migrationFiles(provider, types, readdirSync('server/src/migrations')),
  ...portalFiles(provider),
  ...sandboxFiles(provider),
  ...documentFiles(provider),
}
const existing = Object.keys(files).filter((path) => existsSync(path))
if (existing.length > 0) fail(`These files are there already: ${existing.join(', ')}`)

// All lists are read and changed before the first file is written, so that a failure leaves nothing behind.
const changed = listChanges(provider, (path) => readFileSync(path, 'utf8'))
for (const [path, text] of Object.entries({ ...files, ...changed })) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
console.log(`Written:\n  ${Object.keys(files).join('\n  ')}\nChanged:\n  ${Object.keys(changed).join('\n  ')}`)
console.log(`Next: npm run format && npm run docs && npm run types, then npx vitest run server/test/payments/providers -t ${name}.`)
console.log('docs/providers.md has every step.')
