import type { House } from '../house.ts'

/** A file that a command reads, as often as it needs to. */
export interface Source {
  open(): AsyncIterable<Uint8Array>
  /** Its length, where it is known. */
  readonly bytes: number | null
}

/** What a command says and reads, at a terminal or through the running server's socket. */
export interface Io {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  /** The command prints one JSON object and nothing else on `out`. */
  readonly json: boolean
  readonly openFile: (path: string) => Promise<Source>
}

export type Options = Readonly<Record<string, string | boolean | undefined>>

/** One command of the `counterfoil` command line that works on the house. Resolves to the exit code: 0 done, 1 refused. */
export type Command = (house: House, io: Io, args: readonly string[], options: Options) => Promise<number>
