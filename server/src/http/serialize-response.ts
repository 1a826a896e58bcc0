import buildSerializer from 'fast-json-stringify'
import type { FastifyInstance, FastifySerializerCompiler } from 'fastify'

type Serialize = (value: unknown) => string

/** Schemas are compiled by the first response that needs them: compiling all of them would be a tenth of the start-up time. */
export const registerSerialization = (app: FastifyInstance): void => {
  app.setSerializerCompiler(compileSerializer)
}

const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: Serialize | undefined
  return (value) => {
    serialize ??= buildSerializer(schema) as Serialize
    return serialize(value)
  }
}
