import { randomUUID } from 'node:crypto'
import type { NexioSession } from '../store/nexio-session.ts'
import { type Charge, executeCharge } from './charge.ts'
import { gatewayDecline } from './decline.ts'
import { referenceOf, STATUS, type Transaction } from './transaction.ts'

/** A customer's 3-D Secure authentication; the charge is made when it is complete. */
export interface Authentication {
  readonly id: string
  readonly object: 'authentication'
  /** Null when the charge was made before. */
  readonly charge: Charge | null
  /** The payment id, once the charge was made or the authentication failed. */
  readonly transactionId: string | null
  /** Where the customer returns to. */
  readonly returnUrl: string | null
  readonly createdAt: number
}

const LIFETIME_MS = 3_600_000

type NewAuthentication = Pick<Authentication, 'charge' | 'transactionId' | 'returnUrl'>

/** Stores an authentication. Returns the answer that sends the customer to the bank's page; nothing is charged here. */
export const askForAuthentication = (session: NexioSession, fields: NewAuthentication): object => {
  const { id } = session.put<Authentication>({ id: randomUUID(), object: 'authentication', createdAt: session.now, ...fields })
  return { status: 'redirect', redirectUrl: `${session.baseUrl}/3ds/${id}` }
}

/** The charge that still waits for the customer; undefined when the charge was made, has failed, or has expired. */
export const waitingCharge = ({ charge, transactionId, createdAt }: Authentication, now: number): Charge | undefined =>
  charge === null || transactionId !== null || createdAt + LIFETIME_MS <= now ? undefined : charge

/** Makes the waiting charge, or stores a declined one when the authentication failed; does nothing when no charge waits. */
export const finishAuthentication = (session: NexioSession, authentication: Authentication, isAuthenticated: boolean): Authentication => {
  const charge = waitingCharge(authentication, session.now)
  if (charge === undefined) return authentication
  const decided = isAuthenticated ? charge : { ...charge, decline: gatewayDecline('3-D Secure authentication failed') }
  return session.put({ ...authentication, transactionId: executeCharge(session, decided).id })
}

/** The merchant's return URL with id, status and order number in its query; undefined when the request named no valid URL. */
export const returnUrlWithResult = (session: NexioSession, { returnUrl, transactionId, charge }: Authentication): string | undefined => {
  if (returnUrl === null || !URL.canParse(returnUrl)) return undefined
  const transaction = session.find<Transaction>('transaction', transactionId ?? '')
  const source = transaction ?? charge
  const url = new URL(returnUrl)
  if (transaction !== undefined) url.searchParams.set('id', transaction.id)
  url.searchParams.set('status', transaction === undefined ? 'expired' : returnStatus(transaction))
  url.searchParams.set('orderNumber', source === null ? '' : referenceOf(source))
  return url.href
}

/** The status of a payment as the return URL writes it. */
const returnStatus = ({ status }: Transaction): string => {
  if (status === STATUS.authorized) return 'authOnly'
  return status === STATUS.captured || status === STATUS.settled ? 'pending' : 'declined'
}
