import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { type CommandIo, LOOKUP_OPTION_PREFIX, type Options } from '../command.ts'
import { readArguments, readOptions } from './read-values.ts'
import { loadCommands } from './subjects.ts'

const MAX_WORD_LENGTH = 10_000

/**
 * Runs a command in this process, by its name. With LOOKUP_OPTION_PREFIX before the name, only `resolve` runs, and the exit code is 0.
 * @throws OperatorError when no command has this name, or a word is too long or not well-formed text
 */
export const dispatchCommand = async (
  name: string,
  context: AppContext,
  io: CommandIo,
  args: readonly string[],
  options: Options,
): Promise<number> => {
  const finds = name.startsWith(LOOKUP_OPTION_PREFIX)
  const commandName = finds ? name.slice(LOOKUP_OPTION_PREFIX.length) : name
  const [subject = ''] = commandName.split(' ')
  const command = (await loadCommands(subject)).find((one) => one.name === commandName)
  if (command?.run === undefined)
    throw new OperatorError(`The running server does not know the command ${commandName}: it is of another version.`)
  for (const word of [...args, ...Object.values(options)].flat())
    if (typeof word === 'string' && (word.includes('\0') || !word.isWellFormed() || word.length > MAX_WORD_LENGTH))
      throw new OperatorError('A word of the command line is too long, or holds a character that no text may have.')
  const [named, values] = [readArguments(command, args), readOptions(command, options)]
  if (!finds) return command.run(context, io, named, values, args.slice(Object.keys(command.arguments ?? {}).length))
  await command.resolve?.(context, named, values)
  return 0
}
