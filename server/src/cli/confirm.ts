import { createInterface } from 'node:readline/promises'
import { OperatorError } from '../kit/api-error.ts'

/**
 * Asks the person at the terminal before something that cannot be taken back.
 * @param yes the person has said so already, with --yes
 * @throws OperatorError when the answer is no, or nobody is there to answer
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
