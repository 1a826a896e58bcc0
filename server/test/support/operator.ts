import { CommanderError, Command as Program } from 'commander'
import type { AppContext } from '../../src/context.ts'
import { FolderInUse } from '../../src/db/embedded/folder-lock.ts'
import { OperatorError } from '../../src/kit/api-error.ts'
import { dispatchCommand } from '../../src/cli/program/dispatch.ts'
import { registerCommands } from '../../src/cli/program/register.ts'
import { commandRunner, type Run, type Terminal } from '../../src/cli/program/run-command.ts'
import { openFileSource } from '../../src/cli/terminal.ts'

/** The result of a command line. */
export interface CommandResult {
  /** The exit code: 0 done, 1 failed, 2 not valid. */
  readonly exit: number
  readonly out: string
  readonly err: string
}

/** Runs a command line on a context, parsed as the program parses it. */
export const runCommand = (context: AppContext, ...args: string[]): Promise<CommandResult> =>
  parseAndRun(args, (terminal) => async (command, args, options) => {
    const exit = await dispatchCommand(command, context, terminal.createIo(options['json'] === true), args, options)
    terminal.setExitCode(exit)
    return exit
  })

/** Runs a command line as the program does: this process's environment decides which database it opens. */
export const runCommandHere = (...args: string[]): Promise<CommandResult> => parseAndRun(args, commandRunner)

const parseAndRun = async (args: readonly string[], runIn: (terminal: Terminal) => Run): Promise<CommandResult> => {
  const [out, err]: [string[], string[]] = [[], []]
  let exit = 0
  const terminal: Terminal = {
    createIo: (json) => ({ out: (line) => void out.push(line), err: (line) => void err.push(line), json, openFile: openFileSource }),
    setExitCode: (code) => void (exit = code),
  }
  const program = new Program('counterfoil').exitOverride().configureOutput({
    writeOut: (text) => void out.push(text),
    writeErr: (text) => void err.push(text),
  })
  await registerCommands(program, runIn(terminal), terminal, args)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) exit = error.exitCode === 0 ? 0 : 2
    else if (error instanceof OperatorError || error instanceof FolderInUse) exit = 1
    else throw error
    if (exit === 1) err.push((error as Error).message)
  }
  return { exit, out: out.join('\n'), err: err.join('\n') }
}

/** The JSON output of a successful command. @throws Error with its output when it failed */
export const runJsonCommand = async <T>(context: AppContext, ...args: string[]): Promise<T> => {
  const { exit, out, err } = await runCommand(context, ...args, '--json')
  if (exit !== 0) throw new Error(`counterfoil ${args.join(' ')} ended with ${exit}: ${err}`)
  return JSON.parse(out) as T
}
