import type { CardFieldsStart } from '@counterfoil/contract/card-fields'
import { ShownError } from '../../../api/api-error.ts'
import { postToProvider } from './post-to-provider.ts'
import { withoutSeparators } from '../../bank/bank-numbers.ts'
import { cardParts, type TypedCard } from '../../card/card-number.ts'
import type { ProviderAccount } from '../panel.ts'
import type { AccountValues } from './account.ts'
import { tokenErrorText } from './token-error.ts'

const NOT_CONFIGURED_TEXT = 'Payment gateway is not configured properly, please try again later. If the problem persists, contact support'

interface TokenMaker {
  readonly account: Pick<ProviderAccount, 'publishableKey'>
  /** Tells where Pinch takes what is typed. */
  readonly startCardFields: () => Promise<CardFieldsStart>
}

/**
 * Sends a card straight to Pinch, so that its number reaches no server of ours.
 * @returns the token that stands for it
 * @throws ShownError with Pinch's first error message
 */
export const createCardToken = (maker: TokenMaker, card: TypedCard, holder: string): Promise<string> => {
  const { number, month, year, code } = cardParts(card)
  return createToken(maker, { CardNumber: number, Cvc: code, ExpiryMonth: month, ExpiryYear: year, CardHolderName: holder })
}

/** Sends a bank account straight to Pinch. @returns the token that stands for it @throws ShownError with Pinch's first error message */
export const createAccountToken = (maker: TokenMaker, { holder, bsb, number }: AccountValues): Promise<string> =>
  createToken(maker, {
    SourceType: 'bank-account',
    BankAccountName: holder.trim(),
    BankAccountRouting: withoutSeparators(bsb),
    BankAccountNumber: withoutSeparators(number),
  })

/**
 * Sends what is typed straight to Pinch, at the address that our server names, and returns the token.
 * @throws ShownError with Pinch's first error message, or when the account is not configured
 */
const createToken = async ({ account, startCardFields }: TokenMaker, typed: object): Promise<string> => {
  const { tokenUrl } = (await startCardFields()).fields
  if (tokenUrl === undefined || account.publishableKey === null) throw new ShownError(NOT_CONFIGURED_TEXT)
  const { isOk, body } = await postToProvider(tokenUrl, { PublishableKey: account.publishableKey, ...typed })
  const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined
  if (!isOk || typeof token !== 'string' || token === '') throw new ShownError(tokenErrorText(body))
  return token
}
