#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=8
// Plain JavaScript, so that an older Node can still print the message that refuses it.
// The flag above limits V8's young generation, which would otherwise keep the size it reached at start-up: an idle server takes some 20 MB less.
// The variable keeps the C library from giving every thread a heap of its own: a busy server on the embedded database took 1,100 MB, and takes 913.
import * as crypto from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(`Counterfoil needs Node 24; this is Node ${process.versions.node}. Run npm ci, then npm start or npx counterfoil.\n`)
  process.exit(1)
}

/** Whether `npm run build` has made a bundle of these very sources; then it starts in half the time. */
const isBundleCurrent = () => {
  const folder = fileURLToPath(new URL('../dist/', import.meta.url))
  try {
    const sources = Object.entries(JSON.parse(readFileSync(`${folder}sources.json`, 'utf8')))
    return sources.every(([path, digest]) => crypto.hash('sha256', readFileSync(folder + path)) === digest)
  } catch {
    return false // there is no bundle, or one of its sources is gone
  }
}

// Caches compiled code beside the packages; without write access to that folder nothing is cached.
module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/counterfoil', import.meta.url)))
await import(isBundleCurrent() ? '../dist/counterfoil.js' : '../src/counterfoil.ts')
