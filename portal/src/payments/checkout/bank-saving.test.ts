import type { PaymentFee } from '@counterfoil/contract/kit/payments/payment-summary'
import { expect, test } from 'vitest'
import { bankSaving } from './bank-saving.ts'

const fee = (kind: 'card' | 'bank', total: number): PaymentFee => ({ kind, percent: 0, fixed: 0, amount: 0, total })

test('[EASE-02] what a bank account saves is said to the cent, and nothing where it saves nothing', () => {
  expect(bankSaving([fee('card', 1016.27), fee('bank', 988.09)], '$')).toBe('$28.18')
  expect(bankSaving([fee('card', 100), fee('bank', 100)], '$')).toBe('')
  expect(bankSaving([fee('card', 100), fee('bank', 101)], '$')).toBe('')
  expect(bankSaving([fee('card', 100)], '$')).toBe('')
})
