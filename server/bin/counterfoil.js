#!/usr/bin/env node
// Plain JavaScript, so that an older Node can still read the sentence that refuses it.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(`Counterfoil needs Node 24; this is Node ${process.versions.node}. Run npm ci, then npm start or npx counterfoil.\n`)
  process.exit(1)
}
await import('../src/counterfoil.ts')
