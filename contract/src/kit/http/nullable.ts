import { type Static, type TSchema, Type } from 'typebox'

/**
 * A value that may be null, as one schema of two types: `{ "type": ["string", "null"] }`.
 * For a union the compiled serialiser would try the alternatives for every cell of a page.
 */
export const nullable = <const S extends TSchema & { type: string }>(schema: S, description?: string) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'], ...(description === undefined ? {} : { description }) })
