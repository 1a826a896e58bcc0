import type { AppContext } from '../context.ts'

/** A file that a command reads, as often as it needs to. */
export interface InputFile {
  open(): AsyncIterable<Uint8Array>
  /** Its length, where it is known. */
  readonly bytes: number | null
}

/** What a command says and reads, at a terminal or through the running server's socket. */
export interface CommandIo {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** The command prints one JSON object and nothing else on `out`. */
  readonly json: boolean
  readonly openFile: (path: string) => Promise<InputFile>
}

export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** One command of the `counterfoil` command line that works on the house. Resolves to the exit code: 0 done, 1 refused. */
export type Command = (context: AppContext, io: CommandIo, args: readonly string[], options: Options) => Promise<number>

/** Runs one of COMMANDS by its name, through the running server where the embedded database has one. */
export type Run = (command: string, args: readonly string[], options: Options) => Promise<void>

/** The text of an option; undefined where it was not given. */
export const textOption = (options: Options, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** The texts of an option that may be given several times; undefined where it was not given at all. */
export const listOption = (options: Options, name: string): readonly string[] | undefined => {
  const value = options[name]
  return typeof value === 'object' ? value : undefined
}
