import type { MonerisSession } from '../store/moneris-session.ts'
import type { Layout } from './receipt.ts'
import type { ReceiptFields } from './xml.ts'

/** What `POST /faults` calls a group of transactions. */
export type Operation =
  | 'charge'
  | 'refund'
  | 'void'
  | 'store'
  | 'update'
  | 'remove'
  | 'lookup'
  | 'verify'
  | 'tokenise'
  | 'account'
  | 'close'

/** Named texts; an empty element counts as absent. */
export type Texts = Readonly<Record<string, string | undefined>>

export type BlockName = 'avs_info' | 'cvd_info' | 'cof_info' | 'cust_info' | 'convfee_info'

/** A transaction that was asked for, with its elements. */
export interface TransactionCall {
  readonly session: MonerisSession
  /** The plain elements, checked. */
  readonly fields: Texts
  /** The blocks that were sent. */
  readonly blocks: Readonly<Partial<Record<BlockName, Texts>>>
  /** A fault makes the bank decline. */
  readonly isDeclined: boolean
}

/** A transaction that Moneris knows. */
export interface Transaction {
  readonly operation: Operation
  readonly layout: Layout
  /** The plain elements in the SDK's order. */
  readonly elements: readonly string[]
  readonly required: readonly string[]
  readonly blocks: readonly BlockName[]
  /** It moves or checks money, so that a bank may decline it and its status may be asked for. */
  readonly isFinancial: boolean
  /** Its order id must be new. */
  readonly opensOrder: boolean
  run(call: TransactionCall): ReceiptFields
}
