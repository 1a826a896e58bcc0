import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CLI = fileURLToPath(new URL('../../../server/bin/counterfoil.js', import.meta.url))

/** Runs a command of the running product in this data folder, and returns its JSON output. */
export const runCli = async <T = unknown>(dataDir: string, ...args: readonly string[]): Promise<T> => {
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args, '--json'], { env })
  return JSON.parse(stdout) as T
}

/** Imports a FOCUS file for a new reseller of this name, and returns the user that the import creates. */
export const importFocusFile = async (dataDir: string, file: string, name: string): Promise<{ username: string; password: string }> => {
  const tenant = ['--reseller', name, '--brand', name, '--username', name, '--create']
  const { username, password } = await runCli<{ username: string; password: string }>(dataDir, 'import', 'focus', file, ...tenant)
  return { username, password }
}
