import { replaceMarkedPart } from './marked-part.ts'

/** A decision: its file name, and its text. */
export interface Decision {
  readonly file: string
  readonly text: string
}

const NUMBER = /^(\d{4})-/
const TITLE = /^# (?:\d{4} · )?(.*)$/m
const STATUS = /^Status: (.*)$/m

/** @throws Error for a page without a title or a status */
const rowOf = ({ file, text }: Decision): string => {
  const [number, title, status] = [NUMBER.exec(file)?.[1], TITLE.exec(text)?.[1], STATUS.exec(text)?.[1]]
  if (number === undefined || title === undefined || status === undefined)
    throw new Error(`docs/decisions/${file} needs a number in its name, a title and a line "Status: …"`)
  return `| [${number}](${file}) | ${title} | ${status} |`
}

/** The index of the decisions with one line each. @throws Error when it lacks the marks */
export const withDecisions = (document: string, decisions: readonly Decision[]): string =>
  replaceMarkedPart(document, 'decisions', ['| Number | Decision | Status |', '|---|---|---|', ...decisions.map(rowOf)].join('\n'))
