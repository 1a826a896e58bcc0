import type { TSchema } from 'typebox'
import { matchesSchema } from '../../kit/schema.ts'

/** What the schemas of providers' settings are. A description completes "it is not …". */
interface ObjectSchema {
  readonly properties: Readonly<Record<string, TSchema & { readonly description?: string }>>
  readonly required?: readonly string[]
}

/** What is wrong with a provider's settings, in words that repeat none of them; empty when nothing is. */
export const settingsProblems = (schema: TSchema, settings: object): string[] => {
  const { properties, required = [] } = schema as unknown as ObjectSchema
  const unknown = Object.keys(settings).filter((name) => !(name in properties))
  const missing = required.filter((name) => !(name in settings))
  const values = new Map<string, unknown>(Object.entries(settings))
  const malformed = Object.entries(properties).filter(([name, one]) => values.has(name) && !matchesSchema(one, values.get(name)))
  return [
    ...missing.map((name) => `${name} is missing`),
    ...malformed.map(([name, { description }]) => `${name} is not ${description ?? 'as the provider writes it'}`),
    ...unknown.map((name) => `${name} is none of them (${Object.keys(properties).join(', ')})`),
  ]
}
