import type { Decline } from '../transactions/decline.ts'

interface ErrorBody {
  readonly error: number
  readonly message: string
}

/** An error that is answered in Nexio's form. */
export class NexioError extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** What an approval would have answered; only a fault sends it. */
  readonly approvalBody: object | undefined

  constructor(status: number, body: ErrorBody, approvalBody?: object) {
    super(body.message)
    this.status = status
    this.body = body
    this.approvalBody = approvalBody
  }
}

/** The error 400 of a request that cannot be understood; a value, not thrown here. */
export const validationError = (message: string): NexioError => new NexioError(400, { error: 400, message })

/** The error 401 of a wrong user name or password; a value, not thrown here. */
export const unauthorizedError = (): NexioError => new NexioError(401, { error: 401, message: 'Unauthorized' })

/** The error 403 of a one-time-use token that is unknown, used or expired; a value, not thrown here. */
export const tokenRejected = (): NexioError => new NexioError(403, { error: 403, message: 'Token has expired or has already been used' })

/** The error 404 of something that the account does not have; a value, not thrown here. */
export const notFound = (message = 'Not Found'): NexioError => new NexioError(404, { error: 404, message })

/** The error 409, with status 400, of a merchant that the user may not use; a value, not thrown here. */
export const merchantNotEnabled = (): NexioError =>
  new NexioError(400, { error: 409, message: 'This merchantId is not enabled for payment processing' })

/** The error 500: the sandbox failed, or a fault says so. */
export const serverError = (): NexioError => new NexioError(500, { error: 500, message: 'Internal Server Error' })

interface DeclinedPayment {
  readonly merchantId: string
  readonly refNumber: string
  readonly approvalBody?: object
}

/** The error of a decline by the gateway, the security code or the address, with status 400; a value, not thrown here. */
export const declinedError = (decline: Decline, { merchantId, refNumber, approvalBody }: DeclinedPayment): NexioError => {
  const { error, message, results } = decline
  const gatewayResponse = { gatewayName: GATEWAY_NAME, refNum: refNumber, status: 'pending', message }
  const body = { error, message, gatewayResponse, merchantId, ...results }
  return new NexioError(400, body, approvalBody)
}

/** The error of a gateway that did not answer in time, with status 400; the payment may have been made. */
export const gatewayTimeout = (merchantId: string): NexioError => {
  const body = { error: 408, message: 'Payment gateway timeout', gatewayResponse: { gatewayName: GATEWAY_NAME }, merchantId }
  return new NexioError(400, body)
}

/** The name of the gateway behind the sandbox. */
export const GATEWAY_NAME = 'nexio'
