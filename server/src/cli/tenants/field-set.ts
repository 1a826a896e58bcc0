import type { Command as Program } from 'commander'
import { listOption, type Options, textOption } from '../command.ts'
import { addressLines, type ParseField } from './fields.rules.ts'

/** A column that a command line option fills. */
export interface Field {
  /** As it is typed: `company-name`. */
  readonly name: string
  readonly column: string
  readonly about: string
  /** The placeholder of its value in the help. */
  readonly value: string
  readonly parse: ParseField | 'lines'
}

export const field = (name: string, column: string, value: string, about: string, parse: Field['parse']): Field => ({
  name,
  column,
  value,
  about,
  parse,
})

/** The key under which commander stores an option's value. */
const optionKey = (name: string): string => name.replaceAll(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())

const appendValue = (line: string, before: readonly string[] | undefined): string[] => [...(before ?? []), line]

/** An option that may be given several times. */
export const withList = (program: Program, flags: string, about: string): Program =>
  program.option(flags, `${about}; may be given several times`, appendValue as (line: string, before: unknown) => string[])

/** Adds the options of the fields. */
export const withFields = (program: Program, fields: readonly Field[]): Program => {
  for (const { name, value, about, parse } of fields) {
    if (parse === 'lines') withList(program, `--${name} <${value}>`, about)
    else program.option(`--${name} <${value}>`, about)
  }
  return program
}

export type Columns = Readonly<Record<string, string | null | string[]>>

/**
 * The columns that the given options fill.
 * @throws OperatorError for the first malformed value
 */
export const parseFields = (fields: readonly Field[], options: Options): Columns => {
  const columns: Record<string, Columns[string]> = {}
  for (const { name, column, parse } of fields) {
    const lines = listOption(options, optionKey(name))
    const text = textOption(options, optionKey(name))
    if (parse === 'lines' && lines !== undefined) columns[column] = addressLines(name, lines)
    else if (parse !== 'lines' && text !== undefined) columns[column] = parse(name, text)
  }
  return columns
}
