import { resolve } from 'node:path'
import type { Command as Program } from 'commander'
import {
  type Command,
  CONFIRMATION_NEEDED,
  LOOKUP_OPTION_PREFIX,
  JSON_FLAG,
  type OptionSpec,
  type OptionSpecs,
  type Options,
  toTyped,
} from '../command.ts'
import { STANDARD_INPUT } from '../terminal.ts'
import { confirm } from './confirm.ts'
import { readArguments, readOptions } from './read-values.ts'
import type { Run, Terminal } from './run-command.ts'
import { GROUPS, isSubject, loadCommands, SUBJECTS } from './subjects.ts'

/**
 * Registers the commands that end by themselves: all of them but `serve` and `worker`.
 * @param words the words of a command line; only what they name is loaded, since loading takes time. Without them, everything is.
 */
export const registerCommands = async (program: Program, run: Run, terminal: Terminal, words?: readonly string[]): Promise<void> => {
  const named = words?.find((word) => isSubject(word))
  for (const subject of named === undefined ? Object.keys(SUBJECTS) : [named]) {
    const isListedAlone = words !== undefined && named === undefined && Object.hasOwn(GROUPS, subject)
    if (isListedAlone) findGroup(program, [subject])
    else for (const command of await loadCommands(subject)) if (command.isHidden !== true) register(program, command, run, terminal)
  }
}

/** Adds one command, with its arguments, options and help, to the program. Its action parses the words and runs the command. */
const register = (program: Program, command: Command, run: Run, terminal: Terminal): void => {
  const words = command.name.split(' ')
  const kinds = Object.entries(command.arguments ?? {})
  const [furtherName, furtherKind] = command.furtherArguments ?? []
  const leaf = findGroup(program, words.slice(0, -1))
    .command([words.at(-1), ...kinds.map(([name]) => `<${name}>`), ...(furtherName === undefined ? [] : [`[${furtherName}...]`])].join(' '))
    .description(command.about)
  const { options: own = {} } = command
  const options: OptionSpecs = own['json'] === undefined ? { ...own, json: JSON_FLAG } : own
  for (const [key, spec] of Object.entries(options)) addOption(leaf, key, spec)
  if (command.note !== undefined) leaf.addHelpText('after', `\n${command.note}`)
  leaf.action(async () => {
    const args = leaf.args.map((value, at) => toFullPath(kinds[at]?.[1] ?? furtherKind, value))
    const given = Object.entries(leaf.opts<Options>())
    const values: Options = Object.fromEntries(
      given.map(([key, value]) => [key, typeof value === 'string' ? toFullPath(options[key]?.kind, value) : value]),
    )
    await runTyped(command, args, values, run, terminal)
  })
}

/** The group of commands that these words name, below the program. Groups that are missing are added to the program. */
const findGroup = (program: Program, words: readonly string[]): Program =>
  words.reduce(
    (group, word, at) =>
      group.commands.find((one) => one.name() === word) ?? group.command(word).description(GROUPS[words.slice(0, at + 1).join(' ')] ?? ''),
    program,
  )

/** Declares an option, and its `--no-` form where there is one, for the parser of the command line. */
const addOption = (leaf: Program, key: string, spec: OptionSpec): void => {
  const { kind, about, value } = spec
  const flags = value === undefined ? `--${toTyped(key)}` : `--${toTyped(key)} <${value}>`
  if (kind === 'list' && value?.endsWith('...') !== true) leaf.option(flags, `${about}; may be given several times`, appendValue)
  else if (spec.required === true) leaf.requiredOption(flags, about)
  else leaf.option(flags, about, spec.default)
  if (spec.negated !== undefined) leaf.option(`--no-${toTyped(key)}`, spec.negated)
}

/** Collects the values of an option that is given several times. */
const appendValue = (value: string, before: unknown): string[] => [...(Array.isArray(before) ? (before as string[]) : []), value]

/**
 * The absolute path of a value whose kind is a path, since a running server may have started in another folder; any other value as it is.
 */
const toFullPath = (kind: OptionSpec['kind'] | undefined, value: string): string =>
  kind === 'path' || (kind === 'input' && value !== STANDARD_INPUT) ? resolve(value) : value

/** Asks for confirmation where the command wants it, then runs it here without the database, or else by `run`. Sets the exit code. */
const runTyped = async (command: Command, args: readonly string[], options: Options, run: Run, terminal: Terminal): Promise<void> => {
  const [named, values] = [readArguments(command, args), readOptions(command, options)]
  if (command.confirm !== undefined) {
    const isConfirmed = options['yes'] === true
    if (!isConfirmed && command.resolve !== undefined) await run(`${LOOKUP_OPTION_PREFIX}${command.name}`, args, options)
    await confirm(command.confirm(named, values), isConfirmed)
  }
  const exit = await command.runWithoutDatabase?.(terminal.createIo(options['json'] === true), named, values)
  if (typeof exit === 'number') terminal.setExitCode(exit)
  else await runConfirmed(command, args, command.confirm === undefined ? options : { ...options, yes: true }, run)
}

/** Runs a command. Where it ends with CONFIRMATION_NEEDED, asks at the terminal and runs it once more with the option `yes`. */
const runConfirmed = async ({ name }: Command, args: readonly string[], options: Options, run: Run): Promise<void> => {
  if ((await run(name, args, options)) !== CONFIRMATION_NEEDED) return
  await confirm('Do it all the same?', false)
  await run(name, args, { ...options, yes: true })
}
