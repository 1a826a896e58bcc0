import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Duplex, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { DUMP_NAME } from '../../db/programs-at-work.ts'
import { OperatorError } from '../../kit/api-error.ts'

/**
 * The connection of PostgreSQL's own programs. The password leaves the URL for PGPASSWORD in the environment, which other users cannot
 * read.
 */
const connectionOf = (databaseUrl: string): { url: string; env: NodeJS.ProcessEnv } => {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { url: url.href, env: { ...process.env, PGAPPNAME: DUMP_NAME, ...(password === '' ? {} : { PGPASSWORD: password }) } }
}

export interface ToolRun {
  readonly program: 'pg_dump' | 'pg_restore' | 'psql'
  readonly args: readonly string[]
  /** The database to connect to; pg_restore can also work on a file only. */
  readonly databaseUrl?: string
  /** The streams that its output passes. */
  readonly output: readonly [...Duplex[], Writable] | null
  readonly input?: (stdin: Writable) => Promise<void>
}

/**
 * Runs one of PostgreSQL's own programs to its end.
 * @throws OperatorError with its error output when it fails, or when it is not installed
 */
export const runTool = async ({ program, args, databaseUrl, output, input }: ToolRun): Promise<void> => {
  const { url, env } = databaseUrl === undefined ? { url: null, env: process.env } : connectionOf(databaseUrl)
  const child = spawn(program, [...args, ...(url === null ? [] : [`--dbname=${url}`])], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = once(child, 'close') as Promise<[number | null]>
  const stderr = text(child.stderr)
  child.stdin.on('error', () => undefined) // the process ended; its exit code and error output say why
  try {
    const writing = input === undefined ? Promise.resolve(child.stdin.end()) : input(child.stdin)
    const reading = output === null ? child.stdout.resume() : pipeline([child.stdout, ...output])
    await Promise.all([writing.catch(() => undefined), reading])
    const [code] = await ended
    if (code !== 0) throw new OperatorError(`${program} failed: ${errorLines(await stderr)}`)
  } catch (error) {
    child.kill()
    await ended.catch(() => undefined)
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new OperatorError(`${program} is not on this machine: install the PostgreSQL client programs, no older than the server.`, {
        cause: error,
      })
    throw error
  }
}

/** The first lines of error output that speak of an error or its details; the first lines of all where none does. */
const errorLines = (stderr: string): string => {
  const lines = stderr.trim().split('\n')
  const errors = lines.filter((line) => /error|fatal|detail:/i.test(line))
  return (errors.length > 0 ? errors : lines).slice(0, 5).join('\n') || 'it said nothing.'
}
