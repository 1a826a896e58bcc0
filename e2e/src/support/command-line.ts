import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const COMMAND = fileURLToPath(new URL('../../../server/bin/counterfoil.js', import.meta.url))

/** What the command line prints as JSON, in the folder of the product that runs. */
export const commandLine = async <T = unknown>(dataDir: string, ...args: readonly string[]): Promise<T> => {
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...args, '--json'], { env })
  return JSON.parse(stdout) as T
}

/** Imports a FOCUS file as a new reseller's of this name, and gives the user whom that makes. */
export const importFocus = async (dataDir: string, file: string, name: string): Promise<{ username: string; password: string }> => {
  const tenant = ['--reseller', name, '--brand', name, '--username', name]
  const { username, password } = await commandLine<{ username: string; password: string }>(dataDir, 'import', 'focus', file, ...tenant)
  return { username, password }
}
