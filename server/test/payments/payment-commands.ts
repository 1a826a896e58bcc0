import { Readable } from 'node:stream'
import type { AppContext } from '../../src/context.ts'
import { OperatorError } from '../../src/kit/api-error.ts'
import type { Options } from '../../src/cli/command.ts'
import { dispatchCommand } from '../../src/cli/program/dispatch.ts'

/** The output of a command and its exit code. */
export interface CommandOutput {
  readonly code: number
  readonly out: readonly string[]
  readonly err: readonly string[]
  json<T = Record<string, unknown>>(): T
}

/** Sets in how many banking days the money of a reseller's debits is expected; null leaves it to what the provider says. */
export const setDebitDays = (context: AppContext, resellerId: number, debitDays: number | null): Promise<CommandOutput> =>
  runPaymentsCommand(
    context,
    'reseller payments set',
    [String(resellerId)],
    { credentials: '-', json: true },
    { '-': JSON.stringify({ debitDays }) },
  )

/** Runs a payment command with files given by name. What a terminal prints as an error is in `err`, with code 1. */
export const runPaymentsCommand = async (
  context: AppContext,
  command: string,
  args: readonly string[] = [],
  options: Options = {},
  files: Readonly<Record<string, string>> = {},
): Promise<CommandOutput> => {
  const [out, err]: [string[], string[]] = [[], []]
  const io = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    json: options['json'] === true,
    openFile: async (path: string) => {
      const text = files[path]
      if (text === undefined) throw new OperatorError(`There is no file ${path}.`)
      return { bytes: text.length, open: () => Readable.from([Buffer.from(text)]) }
    },
  }
  const code = await dispatchCommand(command, context, io, args, options).catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error
    err.push(error.message)
    return 1
  })
  return { code, out, err, json: <T>() => JSON.parse(out.join('\n')) as T }
}
