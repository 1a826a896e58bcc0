import type { Command as Program } from 'commander'
import { listOption, type Options, textOption } from '../command.ts'
import { addressLines, type Reading } from './fields.rules.ts'

/** A column that an option of the command line fills. */
export interface Field {
  /** As it is typed: `company-name`. */
  readonly name: string
  readonly column: string
  readonly about: string
  /** How its value is called in the help. */
  readonly value: string
  readonly reading: Reading | 'lines'
}

export const field = (name: string, column: string, value: string, about: string, reading: Field['reading']): Field => ({
  name,
  column,
  value,
  about,
  reading,
})

/** How commander names an option's value. */
const keyOf = (name: string): string => name.replaceAll(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())

const gathered = (line: string, before: readonly string[] | undefined): string[] => [...(before ?? []), line]

/** An option that may be given several times. */
export const withList = (program: Program, flags: string, about: string): Program =>
  program.option(flags, `${about}; may be given several times`, gathered as (line: string, before: unknown) => string[])

/** Adds the options of the fields. */
export const withFields = (program: Program, fields: readonly Field[]): Program => {
  for (const { name, value, about, reading } of fields) {
    if (reading === 'lines') withList(program, `--${name} <${value}>`, about)
    else program.option(`--${name} <${value}>`, about)
  }
  return program
}

export type Columns = Readonly<Record<string, string | null | string[]>>

/**
 * The columns that the options given fill.
 * @throws OperatorError for the first that is malformed
 */
export const columnsOf = (fields: readonly Field[], options: Options): Columns => {
  const columns: Record<string, Columns[string]> = {}
  for (const { name, column, reading } of fields) {
    const lines = listOption(options, keyOf(name))
    const typed = textOption(options, keyOf(name))
    if (reading === 'lines' && lines !== undefined) columns[column] = addressLines(name, lines)
    else if (reading !== 'lines' && typed !== undefined) columns[column] = reading(name, typed)
  }
  return columns
}
