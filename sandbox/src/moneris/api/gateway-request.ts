import { GatewayError } from './receipt.ts'
import type { Transaction } from './transaction.ts'
import { TRANSACTIONS } from './transactions.ts'
import { parseXml, type XmlElement } from './xml.ts'

/** A request after authentication, before its elements are checked. */
export interface GatewayRequest {
  readonly store: string
  readonly isStatusCheck: boolean
  readonly transaction: Transaction
  readonly element: XmlElement
}

const ENVELOPE = ['store_id', 'api_token', 'app_version', 'status_check']

/**
 * The request in an XML text, with its store; every pair of a store and a token is accepted.
 * @throws GatewayError when the request is not valid, a credential is missing, or the token contains `invalid`
 */
export const parseRequest = (text: string): GatewayRequest => {
  const root = parseXml(text)
  if (root?.name !== 'request') throw new GatewayError('XML Parse Error in Request', { ReceiptId: 'Global Error Receipt' })
  const names = root.children.map(({ name }) => name)
  const textOf = (name: string) => root.children.find((child) => child.name === name)?.text ?? ''
  const [store, token] = [textOf('store_id'), textOf('api_token')]
  if (store === '' || token === '' || token.includes('invalid')) throw new GatewayError('API token mismatch')
  const element = root.children.at(-1)
  const transaction = TRANSACTIONS.get(element?.name ?? '')
  const envelope = names.slice(0, -1)
  const isEnvelope = envelope.join(' ') === ENVELOPE.filter((name) => envelope.includes(name)).join(' ')
  if (element === undefined || transaction === undefined || !isEnvelope) throw new GatewayError('Invalid transaction')
  const isStatusCheck = textOf('status_check') === 'true'
  if (isStatusCheck && !transaction.isFinancial) throw new GatewayError('Status check is not available for this transaction')
  return { store, isStatusCheck, transaction, element }
}
