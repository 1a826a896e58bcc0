import type { FastifyInstance, FastifyReply } from 'fastify'
import { cutConnection, sendGarbage, waitUnlessClosed } from '../../kit/fault-responses.ts'
import type { Fault } from '../../faults/faults.ts'
import type { Moneris } from '../moneris.ts'
import { statusCheck } from '../payments/status-check.ts'
import { blocksOf, fieldsOf } from './check-elements.ts'
import { type GatewayRequest, parseRequest } from './gateway-request.ts'
import { duplicateOrderError, errorReceipt, GatewayError, type Layout, rejectedReceipt, timedOutReceipt } from './receipt.ts'
import { asDecline, withWrongAmount } from './tampered-receipt.ts'
import { type ReceiptFields, toResponseXml } from './xml.ts'

/** Registers the gateway. It reads the raw body, whatever the content type says. */
export const gatewayRoutes = async (app: FastifyInstance, { moneris }: { moneris: Moneris }): Promise<void> => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post<{ Body: Buffer | undefined }>('/gateway2/servlet/MpgRequest', async ({ body }, reply) =>
    handleRequest(moneris, body?.toString('latin1') ?? '', reply),
  )
}

const handleRequest = async (moneris: Moneris, text: string, reply: FastifyReply): Promise<FastifyReply | void> => {
  const request = requestOf(text)
  if (request instanceof GatewayError) return sendReceipt(reply, errorReceipt('gateway', request))
  const { isStatusCheck, transaction } = request
  const fault = moneris.faults.take('moneris', isStatusCheck ? 'lookup' : transaction.operation)
  if (fault?.kind === 'refuse') return cutConnection(reply)
  const receipt = runWithFault(moneris, request, fault)
  return fault === undefined && receipt !== undefined
    ? sendReceipt(reply, receipt)
    : deliverWithFault(reply, { receipt, fault, layout: transaction.layout })
}

const requestOf = (text: string): GatewayRequest | GatewayError => {
  try {
    return parseRequest(text)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

/** Runs the transaction unless the fault prevents it. Undefined when nothing was done. */
const runWithFault = (moneris: Moneris, request: GatewayRequest, fault: Fault | undefined): ReceiptFields | undefined => {
  const { isFinancial, opensOrder, layout } = request.transaction
  if (fault === undefined) return run(moneris, request, false)
  const { kind, booked } = fault
  if (kind === 'twice' && booked) run(moneris, request, false)
  if (booked) return run(moneris, request, false)
  const isPayment = isFinancial && !request.isStatusCheck
  if (kind === 'twice' && isPayment && opensOrder) return errorReceipt(layout, duplicateOrderError())
  if (kind === 'decline' && isPayment) return run(moneris, request, true)
  if (kind === 'wrong-amount') return run(moneris, request, isPayment)
  return undefined
}

const run = (moneris: Moneris, { store, isStatusCheck, transaction, element }: GatewayRequest, isDeclined: boolean): ReceiptFields => {
  const session = moneris.openSession(store)
  try {
    const [fields, blocks] = [fieldsOf(element, transaction), blocksOf(element, transaction)]
    return isStatusCheck ? statusCheck(session, transaction, fields) : transaction.run({ session, fields, blocks, isDeclined })
  } catch (error) {
    if (error instanceof GatewayError) return errorReceipt(transaction.layout, error)
    throw error
  }
}

interface Delivery {
  readonly receipt: ReceiptFields | undefined
  readonly fault: Fault | undefined
  readonly layout: Layout
}

/** Sends the answer, distorted by the fault. */
const deliverWithFault = async (reply: FastifyReply, { receipt, fault, layout }: Delivery): Promise<FastifyReply | void> => {
  switch (fault?.kind) {
    case 'drop':
      return cutConnection(reply)
    case 'garbage':
      return sendGarbage(reply)
    case 'error':
      return reply.code(500).type('text/html').send('<html><body><h1>500 Internal Server Error</h1></body></html>')
    case 'slow':
      if (!(await waitUnlessClosed(reply, fault.ms))) return cutConnection(reply)
      return sendReceipt(reply, receipt ?? timedOutReceipt(layout))
    case 'action':
    case 'script-action':
      return sendReceipt(reply, timedOutReceipt(layout))
    case 'wrong-amount':
      return sendReceipt(reply, withWrongAmount(receipt ?? rejectedReceipt(layout)))
    case 'decline':
      return sendReceipt(reply, fault.booked && receipt !== undefined ? asDecline(receipt, layout) : (receipt ?? rejectedReceipt(layout)))
    default:
      return sendReceipt(reply, receipt ?? rejectedReceipt(layout))
  }
}

const sendReceipt = (reply: FastifyReply, receipt: ReceiptFields): FastifyReply =>
  reply.code(200).type('text/html').send(toResponseXml(receipt))
