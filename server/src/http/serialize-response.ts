import buildSerializer from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'

type Serialize = (value: unknown) => string

/**
 * Lets responses be written by their schemas, each of which is compiled by the first response that needs it: compiling all would be a tenth
 * of the start-up time.
 */
export const registerSerialization = (app: FastifyInstance): void => {
  app.setSerializerCompiler<object>(
    ({ schema }) =>
      (value) =>
        serializerOf(schema)(value),
  )
}

/** The compiled serializers by schema. A schema is a constant of the contract, so every app of a process writes by the same ones. */
const serializers = new WeakMap<object, Serialize>()

const serializerOf = (schema: object): Serialize => {
  const known = serializers.get(schema)
  if (known !== undefined) return known
  const serialize = buildSerializer(schema) as Serialize
  serializers.set(schema, serialize)
  return serialize
}
