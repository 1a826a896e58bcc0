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

/** A request with a field that Pinch does not accept: status 400, and a list with this one message. */
export const validationError = (propertyName: string, errorMessage: string, attemptedValue: unknown = null): PinchError =>
  new PinchError(400, [validationMessage(propertyName, errorMessage, attemptedValue)])

/** A deletion that cannot be done, which Pinch answers in a form of its own. */
export const notDeleted = (propertyName: string, errorMessage: string): PinchError =>
  new PinchError(400, { errorMessages: [validationMessage(propertyName, errorMessage)], successful: false })

/** What was sent before under the same nonce. */
export const nonceReplay = (nonce: string, data: object): PinchError => new PinchError(403, { isNonceReplay: true, nonce, data })

export const unauthorizedError = (): PinchError => new PinchError(401, '')

export const notFound = (): PinchError => new PinchError(404, '')

/** The sandbox failed, or a fault says so. */
export const serverError = (): PinchError => new PinchError(500, '')
