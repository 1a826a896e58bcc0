import type { AppContext } from '../../context.ts'
import { OperatorError } from '../../kit/api-error.ts'
import type { CommandIo, Options } from '../command.ts'
import { readArguments, readOptions } from './read-values.ts'
import { loadCommands } from './subjects.ts'

const MAX_WORD_LENGTH = 10_000

/**
 * Runs a command by its name.
 * @throws OperatorError when no command has this name, or a word is too long or not well-formed text
 */
export const dispatchCommand = async (
  name: string,
  context: AppContext,
  io: CommandIo,
  args: readonly string[],
  options: Options,
): Promise<number> => {
  const [subject = ''] = name.split(' ')
  const command = (await loadCommands(subject)).find((one) => one.name === name)
  if (command?.run === undefined) throw new OperatorError(`The running server does not know the command ${name}: it is of another version.`)
  for (const word of [...args, ...Object.values(options)].flat())
    if (typeof word === 'string' && (word.includes('\0') || !word.isWellFormed() || word.length > MAX_WORD_LENGTH))
      throw new OperatorError('A word of the command line is too long, or holds a character that no text may have.')
  return command.run(context, io, readArguments(command, args), readOptions(command, options))
}
