import { CommanderError, Command as Program } from 'commander'
import type { House } from './house.ts'
import { OperatorError } from './kit/refusal.ts'
import type { Run } from './operator/command.ts'
import { perform } from './operator/commands.ts'
import { declareImports } from './operator/declare-imports.ts'
import { declareTenants } from './operator/declare-tenants.ts'
import { readFileSource } from './operator/terminal.ts'

/** What became of a command line. */
export interface Said {
  /** As the program would end: 0 done, 1 refused, 2 misused. */
  readonly exit: number
  readonly out: string
  readonly err: string
}

/** Types a command line at a house, as the program itself reads it. */
export const operate = async (house: House, ...words: string[]): Promise<Said> => {
  const [out, err]: [string[], string[]] = [[], []]
  let exit = 0
  const run: Run = async (command, args, options) => {
    const io = {
      out: (line: string) => void out.push(line),
      err: (line: string) => void err.push(line),
      json: options['json'] === true,
      openFile: readFileSource,
    }
    exit = await perform(command, house, io, args, options)
  }
  const program = new Program('counterfoil').exitOverride().configureOutput({
    writeOut: (text) => void out.push(text),
    writeErr: (text) => void err.push(text),
  })
  declareImports(program, run)
  declareTenants(program, run)
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) exit = error.exitCode === 0 ? 0 : 2
    else if (error instanceof OperatorError) exit = 1
    else throw error
    if (exit === 1) err.push((error as Error).message)
  }
  return { exit, out: out.join('\n'), err: err.join('\n') }
}

/** The one JSON object of a command that was done. @throws Error with its words when it was not */
export const operated = async <T>(house: House, ...words: string[]): Promise<T> => {
  const { exit, out, err } = await operate(house, ...words, '--json')
  if (exit !== 0) throw new Error(`counterfoil ${words.join(' ')} ended with ${exit}: ${err}`)
  return JSON.parse(out) as T
}
