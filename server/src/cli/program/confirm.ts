import { createInterface } from 'node:readline/promises'
import { OperatorError } from '../../kit/api-error.ts'

/**
 * Asks for confirmation at the terminal before an action that cannot be undone.
 * @param yes true when --yes was given; then nothing is asked
 * @throws OperatorError when the answer is no, or standard input is not a terminal
 */
export const confirm = async (question: string, yes: boolean): Promise<void> => {
  if (yes) return
  if (process.stdin.isTTY !== true) throw new OperatorError(`${question} Nothing was changed: say --yes to do it without being asked.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${question} Type yes to go on: `)
    if (answer.trim().toLowerCase() !== 'yes') throw new OperatorError('Nothing was changed.')
  } finally {
    terminal.close()
  }
}
