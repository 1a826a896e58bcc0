import { NoResponseError } from '../../../kit/outgoing-http.ts'
import type { ChargePermit } from '../charge-permit.ts'
import type { AccountCheck, ProviderContext } from '../account.ts'
import { addMs } from '../../../kit/clock.ts'
import { meaningOf } from './ippay-codes.ts'
import type { IPpaySettings } from './ippay.settings.ts'
import { parseReply, parseReport, type Reply, toXml, type XmlFields } from './ippay-xml.ts'

export type IPpayContext = ProviderContext<IPpaySettings>

/** The form of our references: TransactionIDs have at most 18 letters and digits. */
export const REFERENCE = { alphabet: 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789', length: 18 }
const OUR_REFERENCE = /^[A-HJ-NP-Z2-9]{18}$/

/** The hosts of the gateways; the test gateway too, whose reports and hosted page are on hosts of their own, like those of production. */
export const LIVE_HOSTS = /^(test)?gtwy\.ippay\.com$/

/** The transactions that the adapter sends, except charges. */
type TransactionType = 'VOID' | 'CREDIT' | 'REVERSAL' | 'ENQ' | 'PING'

/** An answer, or why there is none. `not_sent` only where IPpay certainly got nothing. */
export type Answer = { readonly reply: Reply } | { readonly state: 'unknown' | 'not_sent'; readonly detail: string }

/** Sends one transaction other than a charge, once. @returns `unknown` also where IPpay answers about another TransactionID */
export const sendTransaction = (context: IPpayContext, type: TransactionType, fields: XmlFields): Promise<Answer> =>
  sendRequest(context, type, fields)

/**
 * Sends one charge, once: SALE charges a card, CHECK a bank account.
 * @param permit allows the one request
 * @returns the answer, as `sendTransaction`; a lost answer is not thrown
 */
export const sendCharge = (context: IPpayContext, permit: ChargePermit, type: 'SALE' | 'CHECK', fields: XmlFields): Promise<Answer> =>
  sendRequest(context, type, fields, permit)

/** Posts one transaction with the terminal's credentials. A lost answer is returned, not thrown. */
const sendRequest = async (
  { settings, baseUrl, http }: IPpayContext,
  type: TransactionType | 'SALE' | 'CHECK',
  fields: XmlFields,
  permit?: ChargePermit,
): Promise<Answer> => {
  const { terminalId, password } = settings
  const body = toXml({
    ippay: { attributes: {}, fields: { TransactionType: type, TerminalID: terminalId, Password: password, ...fields } },
  })
  try {
    const headers = { 'content-type': 'text/xml' }
    const { status, text } = await http.send({ method: 'POST', url: `${baseUrl}/ippay`, headers, body, permit })
    const reply = status === 200 ? parseReply(text) : undefined
    if (reply === undefined) return { state: 'unknown', detail: `ippay answered ${status} in an unknown format` }
    const [sent, answered] = [fields['TransactionID'], reply['TransactionID']]
    const isOther = typeof sent === 'string' && answered !== undefined && answered.toUpperCase() !== sent
    return isOther ? { state: 'unknown', detail: 'ippay answered for another transaction' } : { reply }
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error
    return { state: error.mayHaveArrived ? 'unknown' : 'not_sent', detail: error.message }
  }
}

/** The reports of the reporting service that the adapter reads. */
type ReportName = 'credit' | 'ach' | 'token' | 'achsettlement' | 'achrejects' | 'ccchargebacks'

const DAY_MS = 86_400_000
/** How much one request asks for: a day of a busy terminal, and what the banks rarely report. */
const SPANS_MS: Readonly<Record<ReportName, number>> = {
  credit: DAY_MS,
  ach: DAY_MS,
  token: DAY_MS,
  achsettlement: DAY_MS,
  achrejects: 7 * DAY_MS,
  ccchargebacks: 7 * DAY_MS,
}

/**
 * The rows of a report between two instants, read in parts; a row at the edge of two parts may come twice.
 * @throws Error when a part cannot be read, so that a report is never taken for complete
 */
export async function* listRows(context: IPpayContext, name: ReportName, from: Date, to: Date): AsyncGenerator<Reply> {
  for (let start = from; start < to; start = addMs(start, SPANS_MS[name])) {
    const end = addMs(start, SPANS_MS[name]) < to ? addMs(start, SPANS_MS[name]) : to
    yield* await readReport(context, name, start, end)
  }
}

/** The zone of the reports' times is not documented, so every span that is asked for reaches a day further on both sides. */
export const TOLERANCE_MS = DAY_MS

/**
 * The rows of a report, by one request.
 * @throws Error when IPpay does not answer with a report
 */
const readReport = async ({ settings, baseUrl, http }: IPpayContext, name: ReportName, from: Date, to: Date): Promise<Reply[]> => {
  const { merchantId, reportPassword, terminalId } = settings
  const range = { TransactionType: name, TransactionStartTime: toReportTime(from), TransactionEndTime: toReportTime(to) }
  const fields = {
    MerchantID: merchantId,
    TerminalID: terminalId,
    Password: reportPassword,
    TransactionRange: { attributes: {}, fields: range },
  }
  const { status, text } = await http.send({
    method: 'POST',
    url: reportUrl(baseUrl),
    headers: { 'content-type': 'text/xml' },
    body: toXml({ ippayReport: { attributes: {}, fields } }),
  })
  const rows = status === 200 ? parseReport(text) : undefined
  if (rows === undefined) throw new Error(`ippay answered ${status} without a report`)
  return rows
}

/** An instant in UTC without its zone, as the reports want it. */
const toReportTime = (at: Date): string => at.toISOString().slice(0, 19)

const REPORT_URLS: Readonly<Record<string, string>> = {
  'gtwy.ippay.com': 'https://rpt.ippay.com/ippayReport/',
  'testgtwy.ippay.com': 'https://rpt-test.ippay.com/ippayReport/',
}

/** The address of the reporting service that belongs to a gateway; below `baseUrl` for any other server, such as a stand-in. */
const reportUrl = (baseUrl: string): string => REPORT_URLS[new URL(baseUrl).host] ?? `${baseUrl}/ippayReport/`

/**
 * Pings the gateway and reads the reports of a moment, which moves nothing. Without the reports no unknown outcome can be found out.
 * @throws Error with a sentence for operators when either fails
 */
export const checkIPpayAccount = async (context: IPpayContext): Promise<AccountCheck> => {
  const answer = await sendTransaction(context, 'PING', {})
  if (!('reply' in answer)) throw new Error(`IPpay cannot be asked: ${answer.detail}.`)
  const { ActionCode, ErrMsg } = answer.reply
  if (meaningOf(ActionCode, ErrMsg) !== 'approved') throw new Error(`IPpay refuses the terminal or its password (${ActionCode}).`)
  try {
    await readReport(context, 'credit', addMs(context.now, -60_000), context.now)
  } catch (error) {
    throw new Error('IPpay does not let the reports be read: check merchantId and reportPassword.', { cause: error })
  }
  return { account: context.settings.terminalId, canCharge: true, country: 'US' }
}

/** The user-defined field of a transaction of ours: names the customer, and tells our transactions from others of the same terminal. */
export const toUserField = (customerId: number): string => `Counterfoil ${customerId}`

/** Our reference in a report's row; null where the payment is the reseller's own. */
export const merchantReferenceOf = ({ Transaction_ID: id = '', UD1 = '' }: Reply): string | null =>
  OUR_REFERENCE.test(id) && /^Counterfoil \d+$/.test(UD1) ? id : null
