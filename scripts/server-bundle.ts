/** `npm run build` makes the server's bundle in `server/dist`: the same program in few files, which starts in half the time (docs/decisions/0116). */
import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Each module keeps the address of its source, so that it still finds the threads, migrations and files beside it. */
const keepAddresses = (folder: string): Plugin => ({
  name: 'keep-addresses',
  transform: (code, id) => {
    if (id.startsWith('\0')) return code // the bundler's own, which has no address
    const address = JSON.stringify(relative(folder, id))
    return code
      .replaceAll(/(?<![\w.])import\.meta\.url\b/g, `new URL(${address}, import.meta.url).href`)
      .replaceAll(/(?<![\w$.])__dirname\b/g, `(import.meta.dirname + ${JSON.stringify(`/${dirname(relative(folder, id))}`)})`)
  },
})

/** Records the digest of every source of our own as it was read. */
const recordSources = (folder: string, sources: Record<string, string>): Plugin => ({
  name: 'record-sources',
  transform: (code, id) => {
    if (id.endsWith('.ts') && !id.includes('/node_modules/')) sources[relative(folder, id)] = hash('sha256', code)
  },
})

/**
 * Bundles the server of the repository at `root`, with its libraries, into `folder`. `sources.json` there names the sources with their
 * digests: `server/bin/counterfoil.js` runs the bundle while they are the same, else the sources.
 */
export const bundleServer = async (root = ROOT, folder = join(root, 'server/dist')): Promise<void> => {
  const lock = join(root, 'package-lock.json')
  const sources = { [relative(folder, lock)]: hash('sha256', readFileSync(lock)) }
  await build({
    input: join(root, 'server/src/counterfoil.ts'),
    platform: 'node',
    plugins: [recordSources(folder, sources), keepAddresses(folder)],
    output: { dir: folder, cleanDir: true },
    logLevel: 'warn',
  })
  writeFileSync(join(folder, 'sources.json'), JSON.stringify(sources))
}

if (import.meta.main) await bundleServer()
