import { createHash } from 'node:crypto'
import { parseXml } from '../api/xml.ts'
import { startTestSandbox, type TestOptions, type TestSandbox } from '../../test/test-sandbox.ts'

/** An answer's elements, and the name of its root. */
export interface Answer {
  readonly root: string
  readonly fields: Readonly<Record<string, string>>
}

/** The sandbox's IPpay for one test file, with its own folder and port. */
export interface TestIPpay extends TestSandbox {
  /** Sends a transaction of the test terminal. */
  call(type: string, fields?: Readonly<Record<string, string>>, more?: string): Promise<Answer>
  /** Sends any text to the gateway or the reports. */
  post(path: string, body: string): Promise<{ readonly status: number; readonly text: string }>
  /** The rows of a report of the last minute and the next. */
  report(type: string): Promise<Readonly<Record<string, string>>[]>
  fault(operation: string, kind: string, more?: object): Promise<void>
}

const TERMINAL = 'TESTTERMINAL'
export const CARD = { CardNum: '4000300020001000', CardExpMonth: '12', CardExpYear: '39' }
export const ACCOUNT = { AccountNumber: '11111999', ABA: '071025661' }

let lastId = 0

/** A TransactionID that no other test uses. */
export const newTransactionId = (): string => `TEST${String((lastId += 1)).padStart(14, '0')}`

/** Elements one after the other, with their texts as given: a test may send what is not well-formed. */
const toUnescapedXml = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')

/** @throws Error when the text is not well-formed */
export const readAnswer = (text: string): Answer => {
  const root = parseXml(text)
  if (root === undefined) throw new Error(`no answer: ${text}`)
  return { root: root.name, fields: Object.fromEntries(root.children.map((child) => [child.name, child.text])) }
}

const toReportTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19)

export const startTestIPpay = async (options: TestOptions = {}): Promise<TestIPpay> => {
  const sandbox = await startTestSandbox(options)
  const { url } = sandbox
  const post: TestIPpay['post'] = async (path, body) => {
    const response = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'text/xml' }, body })
    return { status: response.status, text: await response.text() }
  }
  return {
    ...sandbox,
    post,
    call: async (type, fields = {}, more = '') => {
      const body = `<ippay><TransactionType>${type}</TransactionType><TerminalID>${TERMINAL}</TerminalID>${toUnescapedXml(fields)}${more}</ippay>`
      return readAnswer((await post('/ippay/ippay', body)).text)
    },
    report: async (type) => {
      const now = (options.clock ?? Date.now)()
      const range = {
        TransactionType: type,
        TransactionStartTime: toReportTime(now - 60_000),
        TransactionEndTime: toReportTime(now + 60_000),
      }
      const head = toUnescapedXml({ MerchantID: 'MERCHANT1', TerminalID: TERMINAL, Password: 'secret' })
      const body = `<ippayReport>${head}<TransactionRange>${toUnescapedXml(range)}</TransactionRange></ippayReport>`
      const root = parseXml((await post('/ippay/ippayReport/', body)).text)
      return (root?.children[0]?.children ?? []).map((row) => Object.fromEntries(row.children.map(({ name, text }) => [name, text])))
    },
    fault: async (operation, kind, more = {}) => {
      await sandbox.postControl('/faults', { provider: 'ippay', operation, kind, times: 1, ...more })
    },
  }
}

/** The address of the hosted page, signed as a merchant signs it. */
export const hostedUrl = (url: string, change: Readonly<Record<string, string>> = {}): URL => {
  const request: Readonly<Record<string, string>> = {
    cid: TERMINAL,
    jp_tid: newTransactionId(),
    order_number: 'INV-1',
    amount: '110.00',
    trans_type: 'TOKENIZE',
    pay_type: 'CC',
    fields: 'name,email',
    required: 'name',
    button: 'Pay',
    retUrl: 'http://127.0.0.1:9/return',
    ...change,
  }
  const of = (name: string): string => request[name] ?? ''
  const rest = ['trans_type', 'pay_type', 'fields', 'required', 'button', 'retUrl'].map(of).join('')
  const signed = `${of('jp_tid')}${of('amount')}${TERMINAL}-secret${of('order_number')}${rest}`
  const jp_request_hash = createHash('sha512').update(signed).digest('hex')
  return new URL(`${url}/ippay/hosted/?${new URLSearchParams({ ...request, jp_request_hash }).toString()}`)
}
