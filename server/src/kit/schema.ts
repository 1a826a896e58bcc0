import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'

/** Schemas are this program's own: comparing them with the schema of schemas would be time of every start. */
const OPTIONS = { strict: false, validateSchema: false }
const plainValidator = new Ajv(OPTIONS)
const defaultingValidator = new Ajv({ ...OPTIONS, useDefaults: true })

const compiled = new WeakMap<TSchema, ValidateFunction>()

/** The compiled validator of a schema, made when it is first needed and kept, so that a starting server compiles none. */
const validatorOf = (schema: TSchema): ValidateFunction => {
  const validator = compiled.get(schema) ?? plainValidator.compile(schema)
  compiled.set(schema, validator)
  return validator
}

/** Whether a value is what the schema describes. */
export const matchesSchema = <Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> => validatorOf(schema)(value)

/** The first thing that is wrong with a value; undefined when nothing is. */
export const findMismatch = (schema: TSchema, value: unknown): ErrorObject | undefined => {
  const validator = validatorOf(schema)
  return validator(value) ? undefined : validator.errors?.[0]
}

/** A shallow copy with the schema's defaults where something is missing, whether or not it matches otherwise. Never throws. */
export const withDefaults = (schema: TSchema, value: object): object => {
  const copy = { ...value }
  defaultingValidator.validate(schema, copy)
  return copy
}
