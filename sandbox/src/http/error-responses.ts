import type { FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'

/** Turns whatever was thrown into `{ "message" }`: a refused request keeps its status and words, anything else is a 500 without them. */
export const answerFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const status = statusOf(error)
  if (status < 500 && error instanceof Error) {
    void reply.code(status).send({ message: error.message })
    return
  }
  console.error(`${request.method} ${request.url} failed:`, error)
  void reply.code(500).send({ message: 'The sandbox failed; its own output says why.' })
}

/** The answer to an address that does not exist. */
export const answerNothingHere = (request: FastifyRequest, reply: FastifyReply): void => {
  void reply.code(404).send({ message: `There is nothing at ${request.method} ${request.url}.` })
}

/** The first fault of a body in words, with the field's name and, for a closed list, what may stand there. */
export const bodyFault = ([fault]: FastifySchemaValidationError[]): Error => {
  const field = fault?.instancePath.slice(1).replaceAll('/', '.') || 'The body'
  const { allowedValues, missingProperty, additionalProperty } = fault?.params ?? {}
  if (Array.isArray(allowedValues)) return new Error(`${field} must be one of: ${allowedValues.join(', ')}.`)
  if (typeof missingProperty === 'string') return new Error(`${missingProperty} is missing.`)
  if (typeof additionalProperty === 'string') return new Error(`There is no field ${additionalProperty}.`)
  return new Error(`${field} ${fault?.message ?? 'is not valid'}.`)
}

const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
