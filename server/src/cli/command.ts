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
  /**
   * Takes Ctrl-C over: the first one aborts the signal, so that the command can end in order and say what stands; a second one ends the
   * process. Undefined where nobody can press it.
   */
  readonly catchStop?: () => AbortSignal
}

/** The values of options, by their keys. */
export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** A text; a path; a path where `-` is standard input. */
type ValueKind = 'text' | 'path' | 'input'

/** An option. Its key is in camel case: `skipBad` is typed as `--skip-bad`. */
export interface OptionSpec {
  readonly kind: ValueKind | 'list' | 'flag'
  readonly about: string
  /** The placeholder of the value in the help; one that ends in `...` takes several values at once. */
  readonly value?: string
  readonly required?: true
  readonly default?: string
  /** What `--no-…` does. */
  readonly negated?: string
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

interface KindValues extends Record<ValueKind, string> {
  readonly list: readonly string[]
  readonly flag: boolean
}

type OptionValue<Spec extends OptionSpec> =
  | KindValues[Spec['kind']]
  | (Spec extends { readonly required: true } | { readonly default: string } ? never : undefined)

/** What `run` gets for these options. */
export type OptionsOf<Specs extends OptionSpecs> = { readonly [Key in keyof Specs]: OptionValue<NonNullable<Specs[Key]>> }

/** All that there is to say of a command. The program registers, parses, explains and runs it by this alone. */
export interface Command<Argument extends string = string, Specs extends OptionSpecs = OptionSpecs> {
  /** As it is typed: `reseller payments set`. */
  readonly name: string
  readonly about: string
  readonly arguments?: Readonly<Record<Argument, ValueKind>>
  /** The name and kind of any number of further arguments. */
  readonly furtherArguments?: readonly [name: string, kind: ValueKind]
  /** Every command has `--json`, as its last option unless it stands here. */
  readonly options?: Specs
  /** Stands below the options in the help. */
  readonly note?: string
  /** Sent by another command, never typed. */
  readonly isHidden?: true
  /** Finds what the question of `confirm` is about, before it is asked. @throws OperatorError when there is nothing of that name */
  resolve?(context: AppContext, args: Readonly<Record<Argument, string>>, options: OptionsOf<Specs>): Promise<unknown>
  /** The question that is answered at the terminal, or with the option `yes`, before anything happens. */
  confirm?(args: Readonly<Record<Argument, string>>, options: OptionsOf<Specs>): string
  /** Runs where it is typed, without the database. Resolves to the exit code; null when `run` is to follow. */
  runWithoutDatabase?(io: CommandIo, args: Readonly<Record<Argument, string>>, options: OptionsOf<Specs>): Promise<number | null>
  /**
   * Runs against the database, in the running server when one holds it. Resolves to the exit code: 0 done, 1 refused, or
   * CONFIRMATION_NEEDED.
   */
  run?(
    context: AppContext,
    io: CommandIo,
    args: Readonly<Record<Argument, string>>,
    options: OptionsOf<Specs>,
    further: readonly string[],
  ): Promise<number>
}

/** Describes a command; `run` gets its arguments and options by their types. */
export const command = <const Argument extends string = never, const Specs extends OptionSpecs = Record<never, never>>(
  description: Command<Argument, Specs>,
): Command<Argument, Specs> => description

export const textOption = (value: string, about: string) => ({ kind: 'text', value, about }) as const
export const pathOption = (value: string, about: string) => ({ kind: 'path', value, about }) as const
/** A file, or `-` for standard input. */
export const inputOption = (value: string, about: string) => ({ kind: 'input', value, about }) as const
/** An option that may be given several times. */
export const listOption = (value: string, about: string) => ({ kind: 'list', value, about }) as const
/** An option without a value: true where it is typed, else undefined. */
export const flag = (about: string) => ({ kind: 'flag', about }) as const

/** An option that the command cannot do without. */
export const requiredOption = <Spec extends OptionSpec>(spec: Spec) => ({ ...spec, required: true }) as const

export const JSON_FLAG = flag('print one JSON object')
/** What the help says of `--force`, where opening the database brings its schema up to date. */
export const FORCE_ABOUT = 'bring the schema up to date though programs of an earlier version are at work on the database'
/** The option of commands that look at all resellers, or one. */
export const OF_RESELLER = textOption('id or name', 'of this reseller alone')

/** The exit code of a command that has changed nothing yet and said why it needs a yes: it runs once more with the option `yes`. */
export const CONFIRMATION_NEEDED = 3

/** Before the name of a command: only what it is about is looked for. */
export const LOOKUP_OPTION_PREFIX = 'find '

/** The key of an option as it is typed: `skip-bad` for `skipBad`. */
export const toTyped = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
