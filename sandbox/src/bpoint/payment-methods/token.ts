import { randomInt } from 'node:crypto'
import { notFound } from '../api/bpoint-error.ts'
import type { BpointSession } from '../store/bpoint-session.ts'
import { sydneyTime } from '../store/sydney-time.ts'
import { type PaymentMethod, shownMethod } from './attached-method.ts'

/** A stored payment method. */
export interface Token {
  readonly id: string
  readonly object: 'token'
  readonly crn1: string | null
  readonly crn2: string | null
  readonly crn3: string | null
  readonly emailAddress: string | null
  readonly method: PaymentMethod
  readonly createdAt: number
  readonly updatedAt: number
}

/** A new number of 16 digits. */
export const newTokenNumber = (): string => `9999${String(randomInt(10 ** 12)).padStart(12, '0')}`

/** A stored token by its number. @throws BpointError when the merchant has no such token */
export const getToken = (session: BpointSession, number: string): Token => {
  const token = session.find<Token>('token', number)
  if (token === undefined) throw notFound('Token')
  return token
}

/** The token in the form of responses, with its payment method and times of Sydney. */
export const tokenBody = ({ account: merchantNumber }: BpointSession, token: Token): object => ({
  token: token.id,
  merchantNumber,
  crn1: token.crn1,
  crn2: token.crn2,
  crn3: token.crn3,
  paymentMethod: shownMethod(token.method),
  emailAddress: token.emailAddress,
  createdDateTime: sydneyTime(token.createdAt),
  updatedDateTime: sydneyTime(token.updatedAt),
})
