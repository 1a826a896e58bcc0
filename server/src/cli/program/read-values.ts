import { OperatorError } from '../../kit/api-error.ts'
import { type Command, type OptionSpec, type Options, toTyped } from '../command.ts'

/** The arguments by their names, as `run` gets them; one that another version did not send is empty. */
export const readArguments = (command: Command, args: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(command.arguments ?? {}).map((name, at) => [name, args[at] ?? '']))

/**
 * The options of the command with their defaults, as `run` gets them. Options that the command does not have are left out.
 * @throws OperatorError when a required option is missing, or a value has another type than the option
 */
export const readOptions = (command: Command, options: Options): Options =>
  Object.fromEntries(
    Object.entries(command.options ?? {}).map(([key, spec]) => {
      const value = options[key] ?? spec.default
      if (value === undefined ? spec.required === true : !fits(spec, value))
        throw new OperatorError(`The command ${command.name} needs a usable --${toTyped(key)}.`)
      return [key, value]
    }),
  )

/** Whether a value has the type of the option's kind: a boolean for a flag, an array for a list, else a text. */
const fits = ({ kind }: OptionSpec, value: NonNullable<Options[string]>): boolean => {
  if (kind === 'flag') return typeof value === 'boolean'
  return kind === 'list' ? Array.isArray(value) : typeof value === 'string'
}
