import { replaceMarkedPart } from './marked-part.ts'

/** A decision: its file name, and its text. */
export interface Decision {
  readonly file: string
  readonly text: string
}

const NUMBER = /^(\d{4})-/
const TITLE = /^# (?:\d{4} · )?(.*)$/m

/** @throws Error for a page without a number or a title */
const rowOf = ({ file, text }: Decision): string => {
  const [number, title] = [NUMBER.exec(file)?.[1], TITLE.exec(text)?.[1]]
  if (number === undefined || title === undefined) throw new Error(`docs/decisions/${file} needs a number in its name and a title`)
  return `| [${number}](${file}) | ${title} |`
}

/** The index of the decisions with one line each. @throws Error when it lacks the marks */
export const withDecisions = (document: string, decisions: readonly Decision[]): string =>
  replaceMarkedPart(document, 'decisions', ['| Number | Decision |', '|---|---|', ...decisions.map(rowOf)].join('\n'))
