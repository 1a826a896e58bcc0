import { addMs } from '../../../kit/clock.ts'
import type { Decline } from '../decline.ts'
import { type IPpayContext, listRows, sendTransaction, TOLERANCE_MS } from './ippay-client.ts'
import { meaningOf, NO_TOKEN_DECLINE } from './ippay-codes.ts'
import type { Reply } from './ippay-xml.ts'

/** What an enquiry by a TransactionID of ours says. `reply` has the original's elements. */
export type Enquiry =
  | { readonly state: 'approved'; readonly reply: Reply }
  | { readonly state: 'declined'; readonly decline: Decline }
  | { readonly state: 'not_found' }
  | { readonly state: 'unknown'; readonly detail: string }

/** Asks the gateway what became of a TransactionID, which moves nothing. An answer that may be about the enquiry itself is unknown. */
export const enquire = async (context: IPpayContext, transactionId: string, kind: 'card' | 'bank'): Promise<Enquiry> => {
  const answer = await sendTransaction(context, 'ENQ', { TransactionID: transactionId })
  if (!('reply' in answer)) return { state: 'unknown', detail: answer.detail }
  const { reply } = answer
  const meaning = meaningOf(reply['ActionCode'], reply['ErrMsg'], kind)
  if (meaning === 'not_found') return { state: 'not_found' }
  // Only an answer that names the transaction is about it: one without may be about the enquiry.
  const isAbout = reply['TransactionID']?.toUpperCase() === transactionId
  if (meaning === 'unknown' || !isAbout)
    return { state: 'unknown', detail: `ippay answered the enquiry with ${reply['ActionCode'] ?? 'nothing'}` }
  if (meaning === 'approved') return { state: 'approved', reply }
  // A terminal that is refused, or a host that is down, may be said of the enquiry, and then says nothing of the transaction.
  return meaning.reason === 'not_configured' || meaning.reason === 'try_again'
    ? { state: 'unknown', detail: `ippay answered the enquiry with ${meaning.providerCode}` }
    : { state: 'declined', decline: meaning }
}

const TOKENIZED = 'TOKENIZED'
const TOKEN = /^[A-Za-z0-9]{5,19}$/

/**
 * The token that a frame made under a TransactionID of ours: by an enquiry, else in the report of new tokens. Only what was made by
 * TOKENIZE counts, so that no sale's id can be used in its place.
 */
export const findToken = async (
  context: IPpayContext,
  transactionId: string,
  kind: 'card' | 'bank',
): Promise<{ readonly token: string } | Decline | { readonly state: 'unknown'; readonly detail: string }> => {
  const found = await enquire(context, transactionId, kind)
  if (found.state === 'declined') return found.decline
  if (found.state === 'unknown') return found
  const token = found.state === 'approved' ? madeToken(found.reply) : undefined
  if (token !== undefined) return { token }
  try {
    for await (const row of listRows(context, 'token', addMs(context.now, -TOLERANCE_MS), addMs(context.now, TOLERANCE_MS))) {
      const { Transaction_ID: id, Token: listed = '' } = row
      if (id?.toUpperCase() === transactionId && TOKEN.test(listed)) return { token: listed }
    }
  } catch (error) {
    return { state: 'unknown', detail: error instanceof Error ? error.message : 'the report of tokens could not be read' }
  }
  return found.state === 'not_found' ? NO_TOKEN_DECLINE : { state: 'unknown', detail: 'ippay has another transaction under this id' }
}

/** The token that TOKENIZE made; undefined for a reply to anything else, or whose Token has not a token's form. */
const madeToken = ({ ResponseText, Token = '' }: Reply): string | undefined =>
  ResponseText?.toUpperCase() === TOKENIZED && TOKEN.test(Token) ? Token : undefined
