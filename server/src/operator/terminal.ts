import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { OperatorError } from '../kit/refusal.ts'
import type { Io, Source } from './command.ts'

/**
 * A file on this machine, to be read as often as wanted.
 * @throws OperatorError when it is not there, not a file or not readable
 */
export const readFileSource = async (path: string): Promise<Source> => {
  try {
    const found = await stat(path)
    if (found.isDirectory()) throw new OperatorError(`${path} is a folder, not a file.`)
    const bytes = found.isFile() ? found.size : null
    return { bytes, open: () => createReadStream(path) }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') throw new OperatorError(`There is no file ${path}.`, { cause: error })
    if (code === 'EACCES') throw new OperatorError(`The file ${path} may not be read by this user.`, { cause: error })
    throw error
  }
}

/** A command's voice at a terminal. */
export const terminalIo = (json: boolean): Io => ({
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  json,
  openFile: readFileSource,
})
