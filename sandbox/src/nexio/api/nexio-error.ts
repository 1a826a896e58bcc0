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

/** A request that cannot be understood. */
export const validationError = (message: string): NexioError => new NexioError(400, { error: 400, message })

/** Wrong user name or password. */
export const unauthorizedError = (): NexioError => new NexioError(401, { error: 401, message: 'Unauthorized' })

/** A one-time-use token that is unknown, used or expired. */
export const tokenRejected = (): NexioError => new NexioError(403, { error: 403, message: 'Token has expired or has already been used' })

export const notFound = (message = 'Not Found'): NexioError => new NexioError(404, { error: 404, message })

/** A merchant that the user may not use. */
export const merchantNotEnabled = (): NexioError =>
  new NexioError(400, { error: 409, message: 'This merchantId is not enabled for payment processing' })

/** The sandbox failed, or a fault says so. */
export const serverError = (): NexioError => new NexioError(500, { error: 500, message: 'Internal Server Error' })

interface DeclinedPayment {
  readonly merchantId: string
  readonly refNumber: string
  readonly approvalBody?: object
}

/** A decline by the gateway, the security code or the address. */
export const declinedError = (decline: Decline, { merchantId, refNumber, approvalBody }: DeclinedPayment): NexioError => {
  const { error, message, results } = decline
  const gatewayResponse = { gatewayName: GATEWAY_NAME, refNum: refNumber, status: 'pending', message }
  const body = { error, message, gatewayResponse, merchantId, ...results }
  return new NexioError(400, body, approvalBody)
}

/** The gateway did not answer in time; the payment may have been made. */
export const gatewayTimeout = (merchantId: string): NexioError => {
  const body = { error: 408, message: 'Payment gateway timeout', gatewayResponse: { gatewayName: GATEWAY_NAME }, merchantId }
  return new NexioError(400, body)
}

/** The name of the gateway behind the sandbox. */
export const GATEWAY_NAME = 'nexio'
