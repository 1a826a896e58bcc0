import { DOMParser } from '@xmldom/xmldom'
import { startTestSandbox, type TestOptions, type TestSandbox } from '../../test/test-sandbox.ts'

/** The elements directly in a receipt; those of `ResolveData` have its name and a dot before theirs. */
export type Receipt = Readonly<Record<string, string>>

/** A transaction's elements; the value of a block is an object. */
export interface Elements {
  readonly [name: string]: string | Elements
}

interface CallOptions {
  readonly store?: string
  readonly token?: string
  readonly isStatusCheck?: boolean
}

/** The sandbox's Moneris for one test file, with its own folder and port. */
export interface TestMoneris extends TestSandbox {
  /** Sends a transaction and reads its receipt. */
  call(transaction: string, elements: Elements, options?: CallOptions): Promise<Receipt>
  /** Sends any text to the gateway. */
  post(body: string, contentType?: string): Promise<{ readonly status: number; readonly contentType: string | null; readonly text: string }>
  orderFault(operation: string, kind: string, more?: object): Promise<void>
  /** Status and amount of the ledger's entries. */
  bookings(): Promise<[string, number][]>
}

export const startTestMoneris = async (options: TestOptions = {}): Promise<TestMoneris> => {
  const sandbox = await startTestSandbox(options)
  const { url } = sandbox

  const post: TestMoneris['post'] = async (body, contentType = 'text/xml') => {
    const response = await fetch(`${url}/moneris/gateway2/servlet/MpgRequest`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
    })
    return { status: response.status, contentType: response.headers.get('content-type'), text: await response.text() }
  }

  return {
    ...sandbox,
    post,
    call: async (transaction, elements, callOptions) => readReceipt((await post(requestXml(transaction, elements, callOptions))).text),
    orderFault: async (operation, kind, more = {}) => {
      await sandbox.postControl('/faults', { provider: 'moneris', operation, kind, times: 1, ...more })
    },
    bookings: async () => (await sandbox.ledger()).map(({ status, amount }) => [status, amount]),
  }
}

/** The XML of a request to the gateway, as a merchant's program writes it; `isStatusCheck` asks what became of the transaction. */
export const requestXml = (
  transaction: string,
  elements: Elements,
  { store = 'store1', token = 'yesguy', isStatusCheck = false }: CallOptions = {},
): string =>
  `<?xml version="1.0"?><request><store_id>${store}</store_id><api_token>${token}</api_token>${isStatusCheck ? '<status_check>true</status_check>' : ''}<${transaction}>${toUnescapedXml(elements)}</${transaction}></request>`

/** Elements one after the other, with their texts as given: a test may send what is not well-formed. */
const toUnescapedXml = (elements: Elements): string =>
  Object.entries(elements)
    .map(([name, value]) => `<${name}>${typeof value === 'string' ? value : toUnescapedXml(value)}</${name}>`)
    .join('')

/** @throws Error when the text is not a response with a receipt */
export const readReceipt = (text: string): Receipt => {
  const receipt = new DOMParser().parseFromString(text, 'text/xml').documentElement?.firstChild
  if (receipt?.nodeName !== 'receipt') throw new Error(`No receipt: ${text}`)
  return fieldsIn(receipt, '')
}

const fieldsIn = (parent: Node, prefix: string): Receipt =>
  Object.fromEntries(
    Array.from(parent.childNodes).flatMap((node): [string, string][] =>
      Array.from(node.childNodes).some(({ nodeType }) => nodeType === 1)
        ? Object.entries(fieldsIn(node, `${prefix}${node.nodeName}.`))
        : [[`${prefix}${node.nodeName}`, node.textContent ?? '']],
    ),
  )

export const VISA = { pan: '4242424242424242', expdate: '2912' }

let lastOrder = 0

/** An order id that no other test uses. */
export const newOrderId = (): string => `order-${(lastOrder += 1)}`

/** The elements of a purchase, in the SDK's order. */
export const purchaseOf = (amount: string, order_id = newOrderId(), card: typeof VISA = VISA): Elements => ({
  order_id,
  amount,
  ...card,
  crypt_type: '7',
})
