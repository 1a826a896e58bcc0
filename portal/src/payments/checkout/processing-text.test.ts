import { expect, test } from 'vitest'
import { formatLocalTime } from '../../format/format.ts'
import { processingText } from './processing-text.ts'

const PAYMENT = { isUnderReview: false, reference: '9F3A-0C21', unknownOutcome: null }
const CONFIRMING = 'We are confirming your payment. Please do not pay again.'

test('[SP-04][BP-04] a payment without an outcome says until when at the latest, in the reader’s time, and what to do before', () => {
  const endsBy = '2026-11-26T22:15:00.000Z'
  const text = processingText({ ...PAYMENT, unknownOutcome: { endsBy } })
  expect(text).toBe(
    `${CONFIRMING} If nothing was charged, you can pay again from ${formatLocalTime(endsBy)} at the latest. To pay before that, contact support and name the reference 9F3A-0C21.`,
  )
  // Whatever the zone is, it is named.
  expect(formatLocalTime(endsBy)).toMatch(/2[67].*2026, \d\d:15 \S+$/)
})

test('[SP-04][BP-04] where only people can find it out it promises no time', () => {
  expect(processingText({ ...PAYMENT, unknownOutcome: { endsBy: null } })).toBe(
    `${CONFIRMING} If the payment company does not answer, people must find out what became of it. To pay before that, contact support and name the reference 9F3A-0C21.`,
  )
  expect(processingText({ ...PAYMENT, isUnderReview: true })).toContain('name the reference 9F3A-0C21')
})

test('[SP-04][BP-04] a debit on its way, and a payment that is sent just now, say no more than before', () => {
  expect([processingText(PAYMENT), processingText(null)]).toEqual([CONFIRMING, CONFIRMING])
  // While servers are upgraded one after another, an answer may still lack the field.
  expect(processingText({ ...PAYMENT, unknownOutcome: undefined } as unknown as typeof PAYMENT)).toBe(CONFIRMING)
})
