import type { FastifyInstance, FastifyReply } from 'fastify'
import { cutConnection, sendGarbage, sendServerError, waitUnlessClosed } from '../../kit/fault-responses.ts'
import type { Fault } from '../../faults/faults.ts'
import type { IPpay } from '../ippay.ts'
import { isApproved, type Transaction } from '../payments/transaction.ts'
import { type AnswerFields, childOf, parseXml, textIn, toElements, type XmlElement } from './xml.ts'

/** The reports that exist: which transactions each lists, and by which time. */
const REPORTS: Readonly<Record<string, (one: Transaction) => number | null>> = {
  credit: ({ type, at }) => (type === 'SALE' || type === 'VOID' || type === 'CREDIT' ? at : null),
  ach: ({ type, at }) => (type === 'CHECK' || type === 'REVERSAL' ? at : null),
  token: (one) => (one.type === 'TOKENIZE' && isApproved(one) ? one.at : null),
  ccsettlement: ({ type, settledAt, at }) => (type === 'SALE' && settledAt !== null ? at : null),
  achsettlement: ({ type, settledAt, at }) => (type === 'CHECK' && settledAt !== null ? at : null),
  achrejects: ({ type, returned }) => (type === 'CHECK' ? (returned?.at ?? null) : null),
  ccchargebacks: ({ chargedBackAt }) => chargedBackAt ?? null,
  getAccountUpdaterActivity: () => null,
  getAccountUpdaterPendingActivity: () => null,
}

/** Registers the reporting service. It reads the raw body, whatever the content type says. */
export const reportRoutes = async (app: FastifyInstance, { ippay }: { ippay: IPpay }): Promise<void> => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post<{ Body: string | undefined }>('/ippayReport/', async ({ body }, reply) => {
    const fault = ippay.faults.take('ippay', 'list')
    return fault === undefined ? send(reply, reportOf(ippay, body ?? '')) : answerWithFault(reply, fault, () => reportOf(ippay, body ?? ''))
  })
}

/** Sends a report as XML with status 200, also an error. */
const send = (reply: FastifyReply, text: string): FastifyReply => reply.code(200).type('text/xml').send(text)

/** Answers a report as the fault says: cut off, garbage, or late; for any other kind a server error. */
const answerWithFault = async (reply: FastifyReply, fault: Fault, report: () => string): Promise<FastifyReply | void> => {
  switch (fault.kind) {
    case 'drop':
    case 'refuse':
      return cutConnection(reply)
    case 'garbage':
      return sendGarbage(reply)
    case 'slow':
      return (await waitUnlessClosed(reply, fault.ms, fault.released)) ? send(reply, report()) : cutConnection(reply)
    default:
      return sendServerError(reply)
  }
}

/** The XML of the report that the request asks for: one terminal's transactions of a span of time, or an error. */
const reportOf = (ippay: IPpay, text: string): string => {
  const root = parseXml(text)
  const range = root === undefined ? undefined : childOf(root, 'TransactionRange')
  if (root?.name.toLowerCase() !== 'ippayreport' || range === undefined) return errorOf('Invalid message')
  const [merchant, password] = [textIn(root, 'MerchantID'), textIn(root, 'Password')]
  if (merchant === '' || merchant.includes('INVALID') || password === '' || password.includes('wrong')) return errorOf('Invalid login')
  const type = textIn(range, 'TransactionType')
  const timeOf = REPORTS[type]
  const [start, end] = ['TransactionStartTime', 'TransactionEndTime'].map((name) => textIn(range, name))
  const [from, to] = [Date.parse(`${start}Z`), Date.parse(`${end}Z`)]
  if (timeOf === undefined || Number.isNaN(from) || Number.isNaN(to)) return errorOf('Invalid range')
  const rows = listTransactions(ippay, root)
    .filter((one) => {
      const at = timeOf(one)
      return at !== null && at >= from && at <= to
    })
    .map((one) => `<Transaction>${toElements(rowOf(type, merchant, textIn(root, 'TerminalID'), one))}</Transaction>`)
  const attributes = `type="${type}" run="${toReportTime(ippay.now()).slice(0, 19)}" start="${start}" end="${end}"`
  return rows.length === 0
    ? `<ippayReport><Transactions ${attributes}>No Results</Transactions></ippayReport>`
    : `<ippayResponse><Transactions ${attributes} records="${rows.length}">${rows.join('')}</Transactions></ippayResponse>`
}

/**
 * The transactions of the request's terminal, oldest first. A report without a terminal is empty, because a merchant's terminals are not
 * known here.
 */
const listTransactions = (ippay: IPpay, root: XmlElement): Transaction[] => {
  const terminal = textIn(root, 'TerminalID')
  return terminal === '' ? [] : ippay.openSession(terminal).all<Transaction>('transaction').toReversed()
}

/** The XML of a report's error. */
const errorOf = (text: string): string => `<ippayResponse>${toElements({ ErrMsg: text })}</ippayResponse>`

/** A time in UTC as `2026-01-31 12:00:00.0`. */
const toReportTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}.0`

/** A transaction as a row of one of IPpay's reports (a key of REPORTS). The columns differ from report to report. */
const rowOf = (report: string, merchant: string, terminal: string, one: Transaction): AnswerFields => {
  const ids = { Date: toReportTime(one.at), ipTransID: one.id, Merchant_Name: merchant, Merchant_ID: merchant }
  if (report === 'token') return { ...ids, Transaction_ID: one.transactionId, Request_Type: 'CREATE', Token: one.token ?? '' }
  if (report === 'ccchargebacks') return chargebackRow(merchant, one)
  const isDecimal = report === 'credit' || report === 'ach'
  const [ud1, ud2, ud3] = one.userFields
  const bank = one.type === 'CHECK' || one.type === 'REVERSAL'
  return {
    ...ids,
    Terminal_ID: terminal,
    Transaction_ID: one.transactionId,
    Request_Type: one.type,
    Total_Amount: isDecimal ? (one.amount / 100).toFixed(4) : String(one.amount / 100),
    Fee_Amount: isDecimal ? '0.0000' : '0',
    Auth_Code: one.approval ?? '',
    ActionCode: one.actionCode,
    Response_Text: one.text ?? '',
    ...(bank ? {} : { CardNum: one.token ?? '' }),
    Token: one.token ?? '',
    ...(bank ? {} : { AVS_Response: one.avs ?? '', CVV2: one.cvv2 ?? '' }),
    CardHolderName: one.cardName,
    OrderNumber: one.orderNumber,
    UD1: ud1 ?? '',
    UD2: ud2 ?? '',
    UD3: ud3 ?? '',
    ...(bank ? { CheckNumber: one.checkNumber } : {}),
    ...(one.settledAt === null ? {} : { SettlementDate: toReportTime(one.settledAt).slice(0, 19) }),
    ...(report === 'achrejects' ? { ReturnCode: one.returned?.code ?? '', ReturnDate: toReportTime(one.returned?.at ?? 0) } : {}),
  }
}

/** A row of the report of chargebacks. It names the payment by the gateway's own number, without the zeros before it. */
const chargebackRow = (merchant: string, { id, at, amount, token, chargedBackAt = 0 }: Transaction): AnswerFields => {
  const [imported, paid] = [toReportTime(chargedBackAt), toReportTime(at)]
  const number = id.replace(/^0+/, '')
  return {
    Merchant_ID: merchant,
    ImportDate: imported,
    CaseNumber: `1${number}.00`,
    MerchantNumber: merchant,
    CaseType: '1',
    TranCode: '05',
    ReasonDesc: 'Merchandise/Services Not Received',
    CaseAmount: (amount / 100).toFixed(2),
    CardBrand: '1',
    ImportDateTransaction: paid,
    ImportDateLoaded: imported,
    AccountNumberSuffix: (token ?? '').slice(-4),
    DBAName: 'Sandbox',
    MerchAmount: (amount / 100).toFixed(2),
    MatchedTransactionID: number,
    MatchedDate: imported,
    DateUpdated: imported,
  }
}
