import { spawn } from 'node:child_process'
import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const SOURCES = [
  'portal/src',
  'portal/index.html',
  'portal/login.html',
  'portal/public.html',
  'portal/pay.html',
  'portal/vite.config.ts',
  'contract/src',
  'package-lock.json',
]
const STAMP = 'portal/dist/.built'

const changedAt = async (path: string): Promise<number> => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.mtimeMs
  const inside = await readdir(path, { recursive: true, withFileTypes: true })
  const times = inside.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs)
  return Math.max(found.mtimeMs, ...times)
}

/** Is the built portal newer than everything it is made of? */
export const isPortalBuilt = async (): Promise<boolean> => {
  const built = existsSync(STAMP) ? statSync(STAMP).mtimeMs : 0
  const sources = await Promise.all(SOURCES.map(changedAt))
  return built > 0 && Math.max(...sources) <= built
}

/** Builds the portal unless what is built is still true. */
export const buildPortal = async (): Promise<void> => {
  if (await isPortalBuilt()) return
  const begun = new Date()
  await new Promise<void>((done, failed) => {
    const vite = spawn(process.execPath, ['../node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
      cwd: 'portal',
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' }, // a test runner's own would build React for development
    })
    vite.on('close', (code) => (code === 0 ? done() : failed(new Error('the portal could not be built'))))
  })
  writeFileSync(STAMP, '')
  utimesSync(STAMP, begun, begun) // a source changed while it was being built makes it old at once
}
