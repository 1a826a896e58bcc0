import type { AppContext } from '../context.ts'

/** A file that a command can open as often as it needs to. */
export interface InputFile {
  open(): AsyncIterable<Uint8Array>
  /** Length in bytes; null when it is unknown. */
  readonly bytes: number | null
}

/** Where a command prints and reads: a terminal, or a socket of the running server. */
export interface CommandIo {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** True when the command prints exactly one JSON object on `out`. */
  readonly json: boolean
  readonly openFile: (path: string) => Promise<InputFile>
}

export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** Runs one command against the database. Resolves to the exit code: 0 done, 1 refused. */
export type Command = (context: AppContext, io: CommandIo, args: readonly string[], options: Options) => Promise<number>

/** Runs a command by its name, inside the running server when one holds the embedded database. */
export type Run = (command: string, args: readonly string[], options: Options) => Promise<void>

/** The value of a text option; undefined when it is not given. */
export const textOption = (options: Options, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** The values of an option that may be given several times; undefined when it is not given. */
export const listOption = (options: Options, name: string): readonly string[] | undefined => {
  const value = options[name]
  return typeof value === 'object' ? value : undefined
}
