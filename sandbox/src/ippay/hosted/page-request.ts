import { createHash } from 'node:crypto'

/** The signed parameters with which a merchant opens the hosted page. */
export interface PageRequest {
  readonly cid: string
  readonly jp_tid: string
  readonly order_number: string
  /** In dollars, for show. */
  readonly amount: string
  readonly trans_type: string
  readonly pay_type: 'CC' | 'ACH'
  /** Of `name`, `email` and `address`. */
  readonly fields: string
  /** Those of the fields that must be filled in. */
  readonly required: string
  readonly button: string
  readonly retUrl: string
  readonly jp_request_hash: string
}

export const PAGE_PARAMETERS = [
  'cid',
  'jp_tid',
  'order_number',
  'amount',
  'trans_type',
  'pay_type',
  'fields',
  'required',
  'button',
  'retUrl',
  'jp_request_hash',
] as const

/** The secret token of a client id. */
const secretOf = (cid: string): string => `${cid}-secret`

/** What is signed, after the transaction id, the amount, the secret and the order number, in this order. */
const SIGNED_REST = ['trans_type', 'pay_type', 'fields', 'required', 'button', 'retUrl'] as const

/** Reads the parameters; undefined when they are not signed with the secret token of their client id, or do not ask for a token. */
export const readPageRequest = (query: Readonly<Record<string, string | undefined>>): PageRequest | undefined => {
  const request = Object.fromEntries(PAGE_PARAMETERS.map((name) => [name, query[name] ?? ''])) as unknown as PageRequest
  const { cid, jp_tid, amount, order_number, pay_type, trans_type, retUrl } = request
  const signed = [jp_tid, amount, secretOf(cid), order_number, ...SIGNED_REST.map((name) => request[name])].join('')
  const isSigned = createHash('sha512').update(signed).digest('hex') === request.jp_request_hash.toLowerCase()
  const isUsable = /^[A-Z0-9]{18}$/i.test(jp_tid) && (pay_type === 'CC' || pay_type === 'ACH') && trans_type === 'TOKENIZE'
  return isSigned && isUsable && /^https?:\/\//.test(retUrl) ? request : undefined
}

/** Whether the page shows the field. */
export const hasField = ({ fields }: PageRequest, name: string): boolean => fields.split(',').includes(name)
/** Whether the field must be filled in. */
export const requiresField = ({ required }: PageRequest, name: string): boolean => required.split(',').includes(name)
