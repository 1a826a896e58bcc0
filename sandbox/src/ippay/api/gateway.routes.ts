import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { cutConnection, sendServerError } from '../../kit/fault-responses.ts'
import { sendWithFault } from '../../kit/forced-outcome.ts'
import type { Fault } from '../../faults/faults.ts'
import type { IPpay } from '../ippay.ts'
import { credit, debit, enquire, GatewayError, type RequestCall, reverse, sell, tokenize, voidSale } from '../payments/requests.ts'
import { APPROVED, DECLINED, DUPLICATE } from '../payments/test-values.ts'
import type { Transaction } from '../payments/transaction.ts'
import { type AnswerFields, parseXml, textIn, toElements, type XmlElement } from './xml.ts'

interface Operation {
  /** The name by which faults are requested. */
  readonly fault: string
  readonly run: (call: RequestCall) => Transaction
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  TOKENIZE: { fault: 'tokenise', run: tokenize },
  SALE: { fault: 'charge', run: sell },
  CHECK: { fault: 'charge', run: debit },
  VOID: { fault: 'void', run: voidSale },
  CREDIT: { fault: 'refund', run: credit },
  REVERSAL: { fault: 'refund', run: reverse },
  ENQ: { fault: 'lookup', run: enquire },
}

const MONEY_OPERATIONS: ReadonlySet<string> = new Set(['charge', 'void', 'refund', 'tokenise'])

/** Registers the gateway: one address for every transaction. It reads the raw body, whatever the content type says. */
export const gatewayRoutes = async (app: FastifyInstance, { ippay }: { ippay: IPpay }): Promise<void> => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post<{ Body: string | undefined }>('/ippay', async ({ body }, reply) => handleRequest(ippay, body ?? '', reply))
}

/** Answers one transaction. A message that is not valid, or a refused terminal, is answered before a fault is taken. */
const handleRequest = async (ippay: IPpay, text: string, reply: FastifyReply): Promise<FastifyReply | void> => {
  const root = parseXml(text)
  const type = root === undefined ? '' : textIn(root, 'TransactionType')
  if (root?.name.toLowerCase() !== 'ippay') return send(reply, type, { ActionCode: '900', ErrMsg: 'Invalid message' })
  const failure = authFailure(root)
  if (failure !== undefined) return send(reply, type, failure)
  if (type === 'PING') return handlePing(ippay, reply)
  const operation = OPERATIONS[type]
  if (operation === undefined) return send(reply, type, { ActionCode: '900', ErrMsg: 'Invalid Message Type.' })
  const transactionId = (textIn(root, 'TransactionID') || newTransactionId(ippay)).toUpperCase()
  if (!/^[A-Z0-9]{1,18}$/.test(transactionId)) return send(reply, type, { ActionCode: '900', ErrMsg: 'Invalid TransactionID' })
  const fault = ippay.faults.take('ippay', operation.fault)
  if (fault?.kind === 'refuse') return cutConnection(reply)
  const call = { session: ippay.openSession(textIn(root, 'TerminalID')), element: root, transactionId, isDeclined: false }
  return deliverWithFault(reply, { type, answer: runUnlessPrevented(operation, call, fault), fault, element: root })
}

/** The error answer for a missing or refused terminal id, or a wrong password; undefined when accepted. Every other pair is accepted. */
const authFailure = (root: XmlElement): AnswerFields | undefined => {
  const [terminal, password] = [textIn(root, 'TerminalID'), textIn(root, 'Password')]
  if (terminal === '' || terminal.includes('INVALID')) return { ActionCode: '925', ErrMsg: 'Invalid TID.' }
  return password.includes('wrong') ? { ActionCode: '926', ErrMsg: 'Invalid Password.' } : undefined
}

/** Answers PING as approved, distorted by the fault. */
const handlePing = async (ippay: IPpay, reply: FastifyReply): Promise<FastifyReply | void> => {
  const fault = ippay.faults.take('ippay', 'ping')
  const answer = { ActionCode: APPROVED, ResponseText: 'PING' }
  if (fault?.kind === 'refuse') return cutConnection(reply)
  return deliverWithFault(reply, { type: 'PING', answer, fault, element: undefined })
}

/** A letter, the time, and three digits, as the gateway makes them. */
const newTransactionId = (ippay: IPpay): string => {
  const time = new Date(ippay.now()).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return `B${time}${String(randomInt(1_000)).padStart(3, '0')}`
}

/**
 * Runs the transaction unless the fault prevents it; the fault `twice` runs it two times when booked, else answers a duplicate. Undefined
 * when nothing was done.
 */
const runUnlessPrevented = ({ fault: name, run }: Operation, call: RequestCall, fault: Fault | undefined): AnswerFields | undefined => {
  const answerOf = (more: Partial<RequestCall> = {}): AnswerFields => answer(() => run({ ...call, ...more }), call.transactionId)
  if (fault === undefined) return answerOf()
  const { kind, booked } = fault
  const isMoney = MONEY_OPERATIONS.has(name)
  if (kind === 'twice' && booked) answerOf()
  if (booked) return answerOf()
  if (kind === 'twice' && isMoney) return { TransactionID: call.transactionId, ActionCode: DUPLICATE, ErrMsg: 'DUPLICATE TRANSMISSION' }
  return (kind === 'decline' || kind === 'wrong-amount') && isMoney ? answerOf({ isDeclined: true }) : undefined
}

/** The answer with the transaction that `run` returns, or with the GatewayError that it throws. Any other error goes on to the caller. */
const answer = (run: () => Transaction, transactionId: string): AnswerFields => {
  try {
    return toAnswer(run())
  } catch (error) {
    if (error instanceof GatewayError) return { TransactionID: transactionId, ActionCode: error.actionCode, ErrMsg: error.message }
    throw error
  }
}

/** A transaction as the elements of an answer. */
const toAnswer = ({ transactionId, actionCode, approval, cvv2, text, avs, token, errMsg }: Transaction): AnswerFields => ({
  TransactionID: transactionId,
  ActionCode: actionCode,
  Approval: approval ?? undefined,
  CVV2: cvv2 ?? undefined,
  ResponseText: text ?? undefined,
  AVS: avs ?? undefined,
  Token: token ?? undefined,
  ErrMsg: errMsg ?? undefined,
})

interface Delivery {
  readonly type: string
  readonly answer: AnswerFields | undefined
  readonly fault: Fault | undefined
  readonly element: XmlElement | undefined
}

const TIMED_OUT: AnswerFields = { ActionCode: '992', ResponseText: 'TRANSACTION TIMEOUT' }

/**
 * Sends IPpay's answer as the fault distorts it, unchanged without a fault. Without an answer, because nothing was done, a time-out is
 * answered. Resolves to nothing when the connection is cut.
 */
const deliverWithFault = (
  reply: FastifyReply,
  { type, answer: fields = TIMED_OUT, fault, element }: Delivery,
): Promise<FastifyReply | void> =>
  sendWithFault<AnswerFields>(reply, {
    fault,
    answer: fields,
    send: (answered) => send(reply, type, answered),
    fail: () => sendServerError(reply),
    tamper: (answered, { kind }) => {
      if (kind === 'wrong-amount') return withWrongAmount(answered, element)
      return kind === 'decline' ? { TransactionID: answered['TransactionID'], ActionCode: DECLINED, ResponseText: 'DECLINED' } : answered
    },
  })

const WRONG_AMOUNT_OFFSET = 100

/**
 * An answer that says "approved", with an amount that is WRONG_AMOUNT_OFFSET more than the request asked for. Without the fault, answers
 * have no amount.
 */
const withWrongAmount = (fields: AnswerFields, request: XmlElement | undefined): AnswerFields => ({
  ...fields,
  ActionCode: APPROVED,
  ResponseText: 'APPROVED',
  TotalAmount: String(Number(request === undefined ? 0 : textIn(request, 'TotalAmount')) + WRONG_AMOUNT_OFFSET),
})

/** Sends the answer as XML with status 200, also for errors. The answer to TOKENIZE has another root than all others. */
const send = (reply: FastifyReply, type: string, fields: AnswerFields): FastifyReply => {
  const root = type === 'TOKENIZE' ? 'IPPayResponse' : 'ippayResponse'
  return reply
    .code(200)
    .type('text/xml')
    .send(`<${root}>${toElements(fields)}</${root}>`)
}
