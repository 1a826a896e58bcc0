import type { FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'

/** Answers an error with `{ "message" }`: a client error keeps its status and message, anything else becomes a 500 without details. */
export const handleError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const status = statusOf(error)
  if (status < 500 && error instanceof Error) {
    void reply.code(status).send({ message: error.message })
    return
  }
  console.error(`${request.method} ${request.url} failed:`, error)
  void reply.code(500).send({ message: 'The sandbox failed; its own output says why.' })
}

/** Answers 404 with `{ "message" }`. */
export const handleNotFound = (request: FastifyRequest, reply: FastifyReply): void => {
  void reply.code(404).send({ message: `There is nothing at ${request.method} ${request.url}.` })
}

/** The first validation error of a body as a sentence with the field's name and the allowed values. */
export const bodyError = ([error]: FastifySchemaValidationError[]): Error => {
  const field = error?.instancePath.slice(1).replaceAll('/', '.') || 'The body'
  const { allowedValues, missingProperty, additionalProperty } = error?.params ?? {}
  if (Array.isArray(allowedValues)) return new Error(`${field} must be one of: ${allowedValues.join(', ')}.`)
  if (typeof missingProperty === 'string') return new Error(`${missingProperty} is missing.`)
  if (typeof additionalProperty === 'string') return new Error(`There is no field ${additionalProperty}.`)
  return new Error(`${field} ${error?.message ?? 'is not valid'}.`)
}

/** The HTTP status that the error brings; 500 without one. */
const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
