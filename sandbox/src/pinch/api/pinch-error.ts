/** A response that is no success. */
export class PinchError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super(`${status}`)
    this.status = status
    this.body = body
  }
}

/** A validation error in the form of FluentValidation. */
const validationMessage = (propertyName: string, errorMessage: string, attemptedValue: unknown = null) => ({
  propertyName,
  errorMessage,
  attemptedValue,
  customState: null,
  severity: 0,
  errorCode: null,
  formattedMessageArguments: null,
  formattedMessagePlaceholderValues: null,
  resourceName: null,
})

/** The error 400 of a field that Pinch does not accept, with a list of this one message; a value, not thrown here. */
export const validationError = (propertyName: string, errorMessage: string, attemptedValue: unknown = null): PinchError =>
  new PinchError(400, [validationMessage(propertyName, errorMessage, attemptedValue)])

/** The error 400 of a deletion that cannot be done, which Pinch answers in a form of its own; a value, not thrown here. */
export const notDeleted = (propertyName: string, errorMessage: string): PinchError =>
  new PinchError(400, { errorMessages: [validationMessage(propertyName, errorMessage)], successful: false })

/** The error 403 of a nonce that was used before; `data` is what was made under it then. A value, not thrown here. */
export const nonceReplay = (nonce: string, data: object): PinchError => new PinchError(403, { isNonceReplay: true, nonce, data })

/** The error 401, without a body; a value, not thrown here. */
export const unauthorizedError = (): PinchError => new PinchError(401, '')

/** The error 404, without a body; a value, not thrown here. */
export const notFound = (): PinchError => new PinchError(404, '')

/** The error 500, without a body: the sandbox failed, or a fault says so. */
export const serverError = (): PinchError => new PinchError(500, '')
