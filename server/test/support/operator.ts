import { CommanderError, Command as Program } from 'commander'
import type { AppContext } from '../../src/context.ts'
import { FolderInUse } from '../../src/db/embedded/folder-lock.ts'
import { OperatorError } from '../../src/kit/api-error.ts'
import type { Run } from '../../src/cli/command.ts'
import { perform } from '../../src/cli/commands.ts'
import { declareCommands } from '../../src/cli/declare-commands.ts'
import { runner, type Terminal } from '../../src/cli/run-command.ts'
import { readFileSource } from '../../src/cli/terminal.ts'

/** What became of a command line. */
export interface Said {
  /** As the program would end: 0 done, 1 refused, 2 misused. */
  readonly exit: number
  readonly out: string
  readonly err: string
}

/** Types a command line at a house, as the program itself reads it. */
export const operate = (context: AppContext, ...words: string[]): Promise<Said> =>
  typed(words, (terminal) => async (command, args, options) => {
    terminal.ended(await perform(command, context, terminal.io(options['json'] === true), args, options))
  })

/** Types a command line as at a terminal of this machine: what this process's environment names decides which house it opens. */
export const operateHere = (...words: string[]): Promise<Said> => typed(words, runner)

const typed = async (words: readonly string[], runIn: (terminal: Terminal) => Run): Promise<Said> => {
  const [out, err]: [string[], string[]] = [[], []]
  let exit = 0
  const terminal: Terminal = {
    io: (json) => ({ out: (line) => void out.push(line), err: (line) => void err.push(line), json, openFile: readFileSource }),
    ended: (code) => void (exit = code),
  }
  const program = new Program('counterfoil').exitOverride().configureOutput({
    writeOut: (text) => void out.push(text),
    writeErr: (text) => void err.push(text),
  })
  declareCommands(program, runIn(terminal), terminal)
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) exit = error.exitCode === 0 ? 0 : 2
    else if (error instanceof OperatorError || error instanceof FolderInUse) exit = 1
    else throw error
    if (exit === 1) err.push((error as Error).message)
  }
  return { exit, out: out.join('\n'), err: err.join('\n') }
}

/** The one JSON object of a command that was done. @throws Error with its words when it was not */
export const operated = async <T>(context: AppContext, ...words: string[]): Promise<T> => {
  const { exit, out, err } = await operate(context, ...words, '--json')
  if (exit !== 0) throw new Error(`counterfoil ${words.join(' ')} ended with ${exit}: ${err}`)
  return JSON.parse(out) as T
}
