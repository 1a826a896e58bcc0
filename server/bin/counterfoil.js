#!/usr/bin/env -S node --max-semi-space-size=8
// Plain JavaScript, so that an older Node can still read the sentence that refuses it.
// The flag above keeps an idle server some 20 MB smaller: what start-up leaves behind would otherwise set the size of its nursery for good.
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(`Counterfoil needs Node 24; this is Node ${process.versions.node}. Run npm ci, then npm start or npx counterfoil.\n`)
  process.exit(1)
}
// Compiled code of the last run, beside the packages and as private as they are. Where that folder cannot be written, nothing is kept.
module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/counterfoil', import.meta.url)))
await import('../src/counterfoil.ts')
