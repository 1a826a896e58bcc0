import type { FastifyInstance, FastifyReply } from 'fastify'
import { cutConnection, sendServerError } from '../../kit/fault-responses.ts'
import { sendWithFault } from '../../kit/forced-outcome.ts'
import type { Fault } from '../../faults/faults.ts'
import type { Moneris } from '../moneris.ts'
import { statusCheck } from '../payments/status-check.ts'
import { blocksOf, fieldsOf } from './check-elements.ts'
import { type GatewayRequest, parseRequest } from './gateway-request.ts'
import { duplicateOrderError, errorReceipt, GatewayError, rejectedReceipt, timedOutReceipt } from './receipt.ts'
import { tamperReceipt } from './tampered-receipt.ts'
import { type ReceiptFields, toResponseXml } from './xml.ts'

/** Registers the gateway. It reads the raw body, whatever the content type says. */
export const gatewayRoutes = async (app: FastifyInstance, { moneris }: { moneris: Moneris }): Promise<void> => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post<{ Body: Buffer | undefined }>('/gateway2/servlet/MpgRequest', async ({ body }, reply) =>
    handleRequest(moneris, body?.toString('latin1') ?? '', reply),
  )
}

/**
 * Answers one transaction. A request that cannot be read is answered before a fault is taken; else the fault decides what runs and what is
 * sent.
 */
const handleRequest = async (moneris: Moneris, text: string, reply: FastifyReply): Promise<FastifyReply | void> => {
  const request = requestOf(text)
  if (request instanceof GatewayError) return sendReceipt(reply, errorReceipt('gateway', request))
  const { isStatusCheck, transaction } = request
  const fault = moneris.faults.take('moneris', isStatusCheck ? 'lookup' : transaction.operation)
  if (fault?.kind === 'refuse') return cutConnection(reply)
  const receipt = runUnlessPrevented(moneris, request, fault)
  return sendWithFault(reply, {
    fault,
    answer: receipt ?? (fault?.kind === 'slow' ? timedOutReceipt(transaction.layout) : rejectedReceipt(transaction.layout)),
    send: (answer) => sendReceipt(reply, answer),
    fail: () => sendServerError(reply),
    tamper: (answer, { kind, booked }) => tamperReceipt(answer, { kind, booked, layout: transaction.layout }),
  })
}

/** The parsed request, or the GatewayError that says why it is none. */
const requestOf = (text: string): GatewayRequest | GatewayError => {
  try {
    return parseRequest(text)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

/**
 * Runs the transaction unless the fault prevents it; the fault `twice` runs it two times when booked, else answers a duplicate order.
 * Undefined when nothing was done.
 */
const runUnlessPrevented = (moneris: Moneris, request: GatewayRequest, fault: Fault | undefined): ReceiptFields | undefined => {
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

/** Checks and runs a transaction or its status check; a GatewayError becomes an error receipt. */
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

/** Sends the receipt as XML, with status 200 and the content type of HTML, as Moneris does. */
const sendReceipt = (reply: FastifyReply, receipt: ReceiptFields): FastifyReply =>
  reply.code(200).type('text/html').send(toResponseXml(receipt))
