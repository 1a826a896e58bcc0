/** One thing that is wrong with a request. */
interface ErrorDetail {
  readonly code: string
  readonly message: string
  readonly field: string
}

/** An error that is answered in BPOINT's form. */
export class BpointError extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, code: string, message: string, details?: readonly ErrorDetail[]) {
    super(message)
    this.status = status
    this.body = { code, message, ...(details === undefined ? {} : { details }) }
  }
}

/** The error 400 of fields that cannot be processed; a value, not thrown here. */
export const invalidFields = (details: readonly ErrorDetail[]): BpointError =>
  new BpointError(400, 'InvalidFields', 'One or more fields are invalid', details)

/** The error 400 of one field that cannot be processed; a value, not thrown here. */
export const invalidField = (field: string, message: string, code = 'Invalid'): BpointError => invalidFields([{ code, message, field }])

/** The error 400 of a call at the wrong time, such as processing a key twice; a value, not thrown here. */
export const invalidFlow = (message: string): BpointError => new BpointError(400, 'InvalidFlow', message)

/** The error 401 of a missing or wrong password; a value, not thrown here. */
export const invalidCredentials = (): BpointError => new BpointError(401, 'InvalidCredentials', 'Invalid credentials')

/** The error 404 of something that the merchant does not have; a value, not thrown here. */
export const notFound = (what: string): BpointError => new BpointError(404, 'NotFound', `${what} not found`)

/** The error 500: the sandbox failed, or a fault says so. */
export const fatal = (): BpointError => new BpointError(500, 'Fatal', 'An unexpected error occurred')
