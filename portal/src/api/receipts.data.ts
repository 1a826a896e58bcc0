import { paymentHistory } from '@counterfoil/contract/payment-history'
import { mutationOptions } from '@tanstack/react-query'
import { fetchFile } from './call-api.ts'

/** Mutation options: fetches a payment's receipt, without saving it. A failure is shown beside the button. */
export const receiptMutation = () =>
  mutationOptions({
    mutationKey: ['payment-history', 'receipt'],
    mutationFn: (id: string) => fetchFile(paymentHistory.receipt, { params: { id } }),
    meta: { failure: 'inline' },
  })
