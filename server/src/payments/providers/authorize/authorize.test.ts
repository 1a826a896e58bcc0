import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { testConformance } from '../../../../test/payments/conformance.ts'
import { authorize } from './authorize.ts'
import {
  ACCOUNT,
  newCard,
  SIGNATURE_KEY,
  startTestAuthorize,
  type TestAuthorize,
  TRANSACTION_KEY,
} from '../../../../test/payments/test-authorize.ts'

const one: { at?: TestAuthorize } = {}
const transcripts: string[] = []
const at = (): TestAuthorize => {
  if (one.at === undefined) throw new Error('the sandbox is not started')
  return one.at
}

beforeAll(async () => {
  one.at = await startTestAuthorize(transcripts)
})
afterAll(() => at().sandbox.close())

testConformance('authorize', {
  provider: authorize,
  sandbox: () => at().sandbox,
  context: () => at().context() as never,
  transcripts,
  secrets: [TRANSACTION_KEY, SIGNATURE_KEY, ACCOUNT, '4111111111111111', 'Payer', '1 Quay Street', 'Ada', '192.0.2.1', 'a browser'],
  operation: 'charge',
  amount: { minor: 11_000n, currency: 'USD' },
  givesReferenceFirst: false,
  refundsInParts: false,
  goodMethod: () => at().storeCard(),
  declining: {
    card_declined: async () => ({ card: newCard({ zip: '46282' }) }),
    expired_card: async () => ({ card: newCard({ expYear: 2020 }) }),
    invalid_account: async () => ({ card: newCard({ number: '4111111111111112' }) }),
    enter_again: async () => ({ card: { typedMethod: { kind: 'token', token: `COMMON.ACCEPT.INAPP.PAYMENT|${randomUUID()}` } } }),
  },
  approveWithoutStoring: async () => at().context({ loginId: 'conformance-testmode' }) as never,
  holdForReview: async () => ({ card: newCard({ zip: '46298' }) }),
})
