import { customerProfileOperations } from '../profiles/customer-profile-operations.ts'
import { paymentProfileOperations } from '../profiles/payment-profile-operations.ts'
import { createTransaction } from '../transactions/create-transaction.ts'
import { getTransactionDetails } from '../transactions/transaction-details.ts'
import { listOperations } from '../transactions/transaction-lists.ts'
import { accountOperations } from './account-operations.ts'
import type { Operation } from './operation.ts'
import { securePaymentContainer } from './secure-payment-container.ts'

/** Every request by its root key. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  [
    ...accountOperations,
    ...customerProfileOperations,
    ...paymentProfileOperations,
    createTransaction,
    getTransactionDetails,
    ...listOperations,
    securePaymentContainer,
  ].map((operation) => [operation.name, operation]),
)
