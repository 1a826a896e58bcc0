import { AuthorizeError } from './authorize-error.ts'
import { type Fields, fieldsOf, textOf } from './fields.ts'

const AUTHENTICATION_FAILED = 'User authentication failed due to invalid authentication values.'

/**
 * The account of a request, which is its API login id. Every pair of a login id and a transaction key is accepted.
 * @throws AuthorizeError when one is missing, or the transaction key contains `invalid`
 */
export const accountOf = (request: Fields): string => {
  const authentication = fieldsOf(request, 'merchantAuthentication')
  const [name, key] = [textOf(authentication, 'name'), textOf(authentication, 'transactionKey')]
  if (name === undefined) throw new AuthorizeError('E00006', 'User name is required.')
  if (key === undefined) throw new AuthorizeError('E00005', 'Transaction key is required.')
  if (key.includes('invalid')) throw new AuthorizeError('E00007', AUTHENTICATION_FAILED)
  return name
}

/**
 * Checks that the account may call the Transaction Details API.
 * @throws AuthorizeError with E00011 when its login id contains `nodetails`
 */
export const assertReporting = (account: string): void => {
  if (account.includes('nodetails'))
    throw new AuthorizeError('E00011', 'Access denied. You do not have permissions to call the Transaction Details API.')
}
