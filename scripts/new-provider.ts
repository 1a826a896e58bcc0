/**
 * `npm run new:provider NAME`: writes the empty form of a payment provider that the contract lists and no code serves yet: its folders in
 * server, portal and sandbox, its entries in their lists, a line of docs/providers.md, and a conformance test, which fails.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { PAYMENT_TYPES } from '../contract/src/kit/payments/payment-type.ts'
import { listChanges } from './new-provider/list-entries.ts'
import { portalFiles } from './new-provider/portal-files.ts'
import { sandboxFiles } from './new-provider/sandbox-files.ts'
import { serverFiles } from './new-provider/server-files.ts'

const fail = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const name = process.argv[2] ?? fail('Usage: npm run new:provider NAME')
const types: Readonly<Record<string, number>> = PAYMENT_TYPES
const type = types[name] ?? 0
if (type === 0) {
  const names = Object.keys(PAYMENT_TYPES).filter((known) => known !== 'none')
  fail(`There is no provider "${name}". Use one of ${names.join(', ')}, or add it to contract/src/kit/payments/payment-type.ts first.`)
}

// A stand-in may be there before the product speaks to it.
const hasStandIn = existsSync(`sandbox/src/${name}`)
const files = { ...serverFiles(name, type), ...portalFiles(name), ...(hasStandIn ? {} : sandboxFiles(name)) }
const existing = Object.keys(files).filter((path) => existsSync(path))
if (existing.length > 0) fail(`The provider "${name}" is there already: ${existing.join(', ')}`)

// All lists are read and changed before the first file is written, so that a failure leaves nothing behind.
const changed = listChanges({ name, type, hasStandIn }, (path) => readFileSync(path, 'utf8'))
for (const [path, text] of Object.entries({ ...files, ...changed })) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
console.log(`Written:\n  ${Object.keys(files).join('\n  ')}\nChanged:\n  ${Object.keys(changed).join('\n  ')}`)
console.log(`Next: npx vitest run --project embedded server/src/payments/providers/${name}`)
