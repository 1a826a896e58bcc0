import { closeBatch, openTotals } from '../payments/batch-totals.ts'
import { purchase, purchaseByKey, verifyCard, verifyCardByKey } from '../payments/purchase.ts'
import { correctPurchase, refund } from '../payments/refund.ts'
import {
  addCard,
  addTemporaryToken,
  addToken,
  deleteCard,
  listExpiring,
  lookUpFull,
  lookUpMasked,
  tokenizePayment,
  updateCard,
} from '../vault/profile-transactions.ts'
import type { BlockName, Operation, Transaction, TransactionCall } from './transaction.ts'
import type { ReceiptFields } from './xml.ts'

/** Elements in the SDK's order; one with an exclamation mark is required. */
type Elements = string

interface Definition {
  readonly operation: Operation
  readonly elements: Elements
  readonly blocks?: readonly BlockName[]
  run(call: TransactionCall): ReceiptFields
}

const CHECKS: readonly BlockName[] = ['avs_info', 'cvd_info', 'cof_info']
const PAYMENT_BLOCKS: readonly BlockName[] = [...CHECKS, 'cust_info', 'convfee_info']
const PROFILE_BLOCKS: readonly BlockName[] = ['avs_info', 'cof_info']
const CONTACT = 'cust_id phone email note'

/** Payments and verifications, each with an order id of its own. */
const ORDERS: Readonly<Record<string, Definition>> = {
  purchase: {
    operation: 'charge',
    elements: 'order_id! cust_id amount! pan! expdate! crypt_type! dynamic_descriptor market_indicator get_nt_response',
    blocks: PAYMENT_BLOCKS,
    run: purchase,
  },
  res_purchase_cc: {
    operation: 'charge',
    elements: 'data_key! order_id! cust_id amount! crypt_type! dynamic_descriptor expdate market_indicator get_nt_response',
    blocks: PAYMENT_BLOCKS,
    run: purchaseByKey,
  },
  card_verification: {
    operation: 'verify',
    elements: 'order_id! cust_id pan! expdate! crypt_type!',
    blocks: CHECKS,
    run: verifyCard,
  },
  res_card_verification_cc: {
    operation: 'verify',
    elements: 'data_key! order_id! crypt_type! expdate',
    blocks: CHECKS,
    run: verifyCardByKey,
  },
}

/** What takes a payment back, with the order id of the payment. */
const REVERSALS: Readonly<Record<string, Definition>> = {
  refund: {
    operation: 'refund',
    elements: 'order_id! amount! txn_number! crypt_type! cust_id dynamic_descriptor',
    run: refund,
  },
  purchasecorrection: {
    operation: 'void',
    elements: 'order_id! txn_number! crypt_type! cust_id dynamic_descriptor',
    run: correctPurchase,
  },
}

const VAULT: Readonly<Record<string, Definition>> = {
  res_add_cc: {
    operation: 'store',
    elements: `${CONTACT} pan! expdate! crypt_type! data_key_format`,
    blocks: PROFILE_BLOCKS,
    run: addCard,
  },
  res_add_token: {
    operation: 'store',
    elements: `data_key! ${CONTACT} expdate crypt_type! data_key_format`,
    blocks: PROFILE_BLOCKS,
    run: addToken,
  },
  res_tokenize_cc: {
    operation: 'store',
    elements: `order_id! txn_number! ${CONTACT} data_key_format return_issuer_id`,
    blocks: PROFILE_BLOCKS,
    run: tokenizePayment,
  },
  res_temp_add: {
    operation: 'tokenise',
    elements: 'pan! expdate! crypt_type! duration data_key_format',
    run: addTemporaryToken,
  },
  res_update_cc: {
    operation: 'update',
    elements: `data_key! ${CONTACT} pan expdate crypt_type`,
    blocks: PROFILE_BLOCKS,
    run: updateCard,
  },
  res_delete: { operation: 'remove', elements: 'data_key!', run: deleteCard },
  res_lookup_masked: { operation: 'lookup', elements: 'data_key!', run: lookUpMasked },
  res_lookup_full: { operation: 'lookup', elements: 'data_key!', run: lookUpFull },
  res_get_expiring: { operation: 'lookup', elements: '', run: listExpiring },
}

const BATCHES: Readonly<Record<string, Definition>> = {
  opentotals: { operation: 'account', elements: 'ecr_number!', run: openTotals },
  batchclose: { operation: 'close', elements: 'ecr_number!', run: closeBatch },
}

/** The definitions as transactions by name; names that begin with `res_` have the vault's layout. */
const transactionsOf = (
  definitions: Readonly<Record<string, Definition>>,
  group: Pick<Transaction, 'isFinancial' | 'opensOrder'>,
): [string, Transaction][] =>
  Object.entries(definitions).map(([name, { operation, elements, blocks = [], run }]) => {
    const words = elements.split(' ').filter((word) => word !== '')
    return [
      name,
      {
        operation,
        layout: name.startsWith('res_') ? 'vault' : 'gateway',
        elements: words.map((word) => word.replace('!', '')),
        required: words.filter((word) => word.endsWith('!')).map((word) => word.slice(0, -1)),
        blocks,
        ...group,
        run,
      },
    ]
  })

/** Every transaction that the gateway knows, by its element's name. */
export const TRANSACTIONS: ReadonlyMap<string, Transaction> = new Map([
  ...transactionsOf(ORDERS, { isFinancial: true, opensOrder: true }),
  ...transactionsOf(REVERSALS, { isFinancial: true, opensOrder: false }),
  ...transactionsOf(VAULT, { isFinancial: false, opensOrder: false }),
  ...transactionsOf(BATCHES, { isFinancial: false, opensOrder: false }),
])
