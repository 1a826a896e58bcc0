import { Ajv, type ErrorObject } from 'ajv'
import formats from 'ajv-formats'
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify'
import { ApiError, unsupportedMediaType } from '../kit/api-error.ts'

/** Path and query arrive as text and are converted to the contract's types; a body must have the right types already. */
const textValidator = new Ajv({ coerceTypes: true, useDefaults: true, allErrors: false, strict: false, validateSchema: false })
const jsonValidator = new Ajv({ coerceTypes: false, useDefaults: true, allErrors: false, strict: false, validateSchema: false })
for (const ajv of [textValidator, jsonValidator]) formats.default(ajv, ['date', 'date-time', 'email', 'uuid'])

/**
 * Refuses (400, or 415 for the media type) every request that does not fit the contract's schemas or holds a NUL or a lone surrogate: the
 * database stores no NUL, and would replace a lone surrogate. Path and query of a page are not checked, so that a mistyped link shows the
 * page instead of JSON.
 */
export const registerInputValidation = (app: FastifyInstance): void => {
  app.setValidatorCompiler(compileValidator)
  app.addHook('preValidation', async (request) => {
    assertContentType(request)
    assertCanonicalIntegers(request)
    const { endpoint, isPage } = request.routeOptions.config
    for (const part of isPage === true ? PAGE_PARTS : endpoint === undefined ? OTHER_PARTS : ALL_PARTS) {
      const problem = findTextProblem(request[part], part)
      if (problem !== undefined)
        throw new ApiError('invalid_input', 'The text holds a character that cannot be used.', { errors: [problem] })
    }
  })
}

const ALL_PARTS = ['params', 'query', 'body'] as const
const OTHER_PARTS = ['params', 'body'] as const
const PAGE_PARTS = ['body'] as const

type Validator = (value: unknown) => { value: unknown } | { error: Error }

/**
 * Fastify's compiler of schemas. A schema is compiled by the first request that needs it: compiling all of them would be a fifth of the
 * start-up time.
 */
const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart = 'body' }) => {
  let validator: Validator | undefined
  return (value: unknown) => {
    validator ??=
      httpPart === 'body' && 'anyOf' in schema ? grantValidator(schema.anyOf as GrantSchema[]) : schemaValidator(schema, httpPart)
    return validator(value)
  }
}

/**
 * Compiles a schema at once. A body must have the right types, the text of path and query is converted to them; returns the error instead
 * of throwing.
 */
const schemaValidator = (schema: object, part: string): Validator => {
  const validate = (part === 'body' ? jsonValidator : textValidator).compile(schema)
  return (value) => (validate(value) ? { value } : { error: validationError(validate.errors ?? [], part) })
}

/**
 * @throws ApiError 415 when a body's media type is not the endpoint's: form or JSON, never both, as a foreign page can post a form without
 * a preflight
 */
const assertContentType = ({ body, headers, routeOptions }: FastifyRequest): void => {
  const endpoint = routeOptions.config.endpoint
  if (endpoint?.body === undefined || body === undefined) return
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== (endpoint.form === true ? 'application/x-www-form-urlencoded' : 'application/json')) throw unsupportedMediaType()
}

const CANONICAL_INTEGER = /^(0|-?[1-9]\d*)$/

/** @throws ApiError 400 for an integer in path or query that is not in its one spelling (`1e3`, ` 7`, `0x1f`): so no record has two URLs */
const assertCanonicalIntegers = ({ params, query, routeOptions }: FastifyRequest): void => {
  const endpoint = routeOptions.config.endpoint
  for (const [part, schema, values] of [['params', endpoint?.params, params] as const, ['query', endpoint?.query, query] as const]) {
    for (const [name, { type }] of Object.entries<{ type?: string }>(schema?.properties ?? {})) {
      const value = (values as Record<string, unknown>)[name]
      if (type !== 'integer' || typeof value !== 'string' || CANONICAL_INTEGER.test(value)) continue
      throw validationError([{ instancePath: `/${name}`, keyword: 'type', params: { type } }], part)
    }
  }
}

interface GrantSchema {
  readonly properties: { readonly grant_type: { readonly const: string } }
}

/** Validates the body of POST /token with the form that its grant_type names, so that errors name the fields of the form that was meant. */
const grantValidator = (forms: readonly GrantSchema[]): Validator => {
  const validators = new Map(forms.map((form) => [form.properties.grant_type.const, jsonValidator.compile(form)]))
  return (body) => {
    const grant = typeof body === 'object' && body !== null && 'grant_type' in body ? body.grant_type : undefined
    if (grant === undefined) return { error: new ApiError('invalid_input', 'body.grant_type is missing.') }
    if (typeof grant !== 'string') return { error: new ApiError('invalid_input', 'body.grant_type must be string.') }
    const form = validators.get(grant)
    if (form === undefined) return { error: new ApiError('unsupported_grant_type', 'This grant type is not supported.') }
    return form(body) ? { value: body } : { error: validationError(form.errors ?? [], 'body') }
  }
}

interface TextProblem {
  readonly path: string
  readonly message: string
}

/**
 * The first NUL or lone surrogate in a value's texts and field names, searched through all levels; undefined without one.
 * @throws ApiError 400 when the value is nested too deeply
 */
const findTextProblem = (value: unknown, path: string, depth = 0): TextProblem | undefined => {
  if (typeof value === 'string') return textProblemOf(value, path)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > 20) throw new ApiError('unreadable_request', 'The request is nested too deeply.')
  for (const [name, inner] of Object.entries(value)) {
    const problem = textProblemOf(name, path) ?? findTextProblem(inner, `${path}.${name}`, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** What is wrong with a text's characters: a NUL, or half a surrogate pair; undefined for a good text. */
const textProblemOf = (text: string, path: string): TextProblem | undefined => {
  if (text.includes('\0')) return { path, message: 'holds a NUL character' }
  return text.isWellFormed() ? undefined : { path, message: 'holds half a character' }
}

/** The 400 that lists what is wrong with a request, field by field, each problem once. Returned, not thrown. */
const validationError = (
  problems: readonly Pick<ErrorObject, 'instancePath' | 'keyword' | 'params' | 'message'>[],
  part: string,
): ApiError => {
  const errors = problems.map(({ instancePath, keyword, params, message }) => ({
    path: fieldPath(part, instancePath, params),
    message: problemText(keyword, params, message),
  }))
  const unique = errors
    .filter((one, at) => errors.findIndex(({ path, message }) => path === one.path && message === one.message) === at)
    .slice(0, 20)
  const [first] = unique
  return new ApiError(
    'invalid_input',
    first === undefined ? 'The request is not what this call takes.' : `${first.path} ${first.message}.`,
    {
      errors: unique,
    },
  )
}

/** The name of a field as the error shows it, such as `query.page` or `body.card.number`, including a missing or unknown field's name. */
const fieldPath = (part: string, instancePath: string, params: Record<string, unknown>): string => {
  const name = params['missingProperty'] ?? params['additionalProperty']
  const field = part === 'querystring' ? 'query' : part
  return [field, ...instancePath.split('/').slice(1), ...(typeof name === 'string' ? [name.slice(0, 64)] : [])].join('.')
}

/** What is wrong with a field, as the end of a sentence that begins with its name: "is missing". */
const problemText = (keyword: string, params: Record<string, unknown>, message: string | undefined): string => {
  if (keyword === 'required') return 'is missing'
  if (keyword === 'additionalProperties') return 'is not a field of this call'
  if (keyword === 'type') return `must be ${String(params['type'])}`
  if (keyword === 'maxLength') return `may have at most ${String(params['limit'])} characters`
  return message ?? 'is not valid'
}
