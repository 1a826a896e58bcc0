import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { runOnServer } from '../../../server/src/cli/socket.ts'

const CLI = fileURLToPath(new URL('../../../server/bin/counterfoil.js', import.meta.url))

/** Runs a command as an operator types it, for the product of this data folder, and returns its JSON output. */
export const runCli = async <T = unknown>(dataDir: string, ...args: readonly string[]): Promise<T> => {
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args, '--json'], { env })
  return JSON.parse(stdout) as T
}

/**
 * Runs a command in the product that runs on this data folder, without a process of its own, and returns its JSON output.
 * @param options by their keys, such as `externalId` for --external-id
 */
export const runInProduct = async <T = unknown>(
  dataDir: string,
  command: string,
  args: readonly string[],
  options: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<T> => {
  const out: string[] = []
  const err: string[] = []
  const io = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line), input: () => Readable.from([]) }
  const exit = await runOnServer(dataDir, { command, args, options: { ...options, json: true }, json: true }, io)
  if (exit !== 0) throw new Error(`${command} ended with ${exit}: ${err.join(' ')}`)
  return JSON.parse(out.join('\n')) as T
}

/** Imports a FOCUS file for a new reseller of this name, and returns the user that the import creates. */
export const importFocusFile = async (dataDir: string, file: string, name: string): Promise<{ username: string; password: string }> => {
  const tenant = ['--reseller', name, '--brand', name, '--username', name, '--create']
  const { username, password } = await runCli<{ username: string; password: string }>(dataDir, 'import', 'focus', file, ...tenant)
  return { username, password }
}
