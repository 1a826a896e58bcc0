import buildSerializer from 'fast-json-stringify'
import type { FastifyInstance, FastifySerializerCompiler } from 'fastify'

type Serialize = (value: unknown) => string

/**
 * Lets responses be written by their schemas, each of which is compiled by the first response that needs it: compiling all would be a tenth
 * of the start-up time.
 */
export const registerSerialization = (app: FastifyInstance): void => {
  app.setSerializerCompiler(compileSerializer)
}

/** Fastify's compiler of serializers; builds at the first value. */
const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: Serialize | undefined
  return (value) => {
    serialize ??= buildSerializer(schema) as Serialize
    return serialize(value)
  }
}
