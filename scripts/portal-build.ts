import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The pages and the build's own files stand in the package's folder. */
const SOURCES = [
  ...readdirSync('portal')
    .filter((name) => /\.(html|ts)$/.test(name))
    .map((name) => `portal/${name}`),
  'portal/src',
  'contract/src',
  'package-lock.json',
]
const STAMP = 'portal/dist/.built'

const lastModified = async (path: string): Promise<number> => {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const times = entries.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs)
  return Math.max(stats.mtimeMs, ...times)
}

/** Whether the built portal is newer than all of its sources. */
export const isPortalBuilt = async (): Promise<boolean> => {
  const builtAt = existsSync(STAMP) ? statSync(STAMP).mtimeMs : 0
  const sources = await Promise.all(SOURCES.map(lastModified))
  return builtAt > 0 && Math.max(...sources) <= builtAt
}

/** Builds the portal unless it is up to date. */
export const buildPortal = async (): Promise<void> => {
  if (await isPortalBuilt()) return
  const startedAt = new Date()
  await new Promise<void>((resolve, reject) => {
    const vite = spawn(process.execPath, ['../node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
      cwd: 'portal',
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' }, // a test runner's own would build React for development
    })
    vite.on('close', (code) => (code === 0 ? resolve() : reject(new Error('the portal could not be built'))))
  })
  writeFileSync(STAMP, '')
  utimesSync(STAMP, startedAt, startedAt) // a source that changes during the build makes it outdated
}
