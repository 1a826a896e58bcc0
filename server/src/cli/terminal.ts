import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { finished } from 'node:stream/promises'
import { OperatorError } from '../kit/api-error.ts'
import { stopSignal } from '../kit/stop-signal.ts'
import type { CommandIo, InputFile } from './command.ts'
import { writeErrorText } from '../kit/system-errors.ts'

/**
 * A file on this machine that can be opened many times. Not opened yet: one that this user may not read fails then.
 * @throws OperatorError when there is no such file, or it is a folder
 */
export const openFileSource = async (path: string): Promise<InputFile> => {
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) throw new OperatorError(`${path} is a folder, not a file.`)
    const bytes = stats.isFile() ? stats.size : null
    return { bytes, open: () => createReadStream(path) }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') throw new OperatorError(`There is no file ${path}.`, { cause: error })
    if (code === 'ENAMETOOLONG' || code === 'ENOTDIR' || code === 'ELOOP')
      throw new OperatorError('That is not the path of a file.', { cause: error })
    if (code === 'EACCES') throw new OperatorError(`The file ${path} may not be read by this user.`, { cause: error })
    throw error
  }
}

/** The file name that means standard input. */
export const STANDARD_INPUT = '-'

/** A stream such as standard input as a file that can be opened once. Opening it again throws an OperatorError. */
export const pipedSource = (open: () => AsyncIterable<Uint8Array>): InputFile => {
  let isOpen = false
  return {
    bytes: null,
    open: () => {
      if (isOpen) throw new OperatorError('Standard input can be read only once; this command reads its file twice. Give a file.')
      isOpen = true
      return open()
    },
  }
}

/**
 * Creates a text file readable by this user only, replacing an existing one.
 * @throws OperatorError when it cannot be written
 */
export const createTextFile = async (path: string): Promise<{ write(text: string): Promise<void>; close(): Promise<void> }> => {
  try {
    const stream = (await open(path, 'w', 0o600)).createWriteStream()
    stream.on('error', () => undefined) // reported by the next write, or by close
    return {
      write: async (text) => {
        if (stream.errored !== null) throw notWritableError(path, stream.errored)
        if (!stream.write(text)) await once(stream, 'drain')
      },
      close: () => finished(stream.end()),
    }
  } catch (error) {
    throw notWritableError(path, error)
  }
}

/** Makes the error for a file that cannot be written. Throws nothing. */
const notWritableError = (path: string, error: unknown): OperatorError =>
  new OperatorError(`The file ${path} cannot be written: ${writeErrorText(error)}.`, { cause: error })

/** The login name of this process's user in the operating system; "operator" when the system knows none. */
export const loginName = (): string => {
  try {
    return userInfo().username
  } catch {
    return 'operator'
  }
}

/** The streams of this process's terminal, for a command that runs here. */
export const terminalIo = (json: boolean): CommandIo => ({
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  json,
  openFile: async (path) => (path === STANDARD_INPUT ? pipedSource(() => process.stdin) : openFileSource(path)),
  catchStop: () => {
    const stop = new AbortController()
    void abortAtStop(stop)
    return stop.signal
  },
})

/** Waits for the first Ctrl-C or SIGTERM, says so on standard error, and aborts. A second one ends the process. */
const abortAtStop = async (stop: AbortController): Promise<void> => {
  await stopSignal()
  process.stderr.write('Stopping …\n')
  stop.abort()
}
