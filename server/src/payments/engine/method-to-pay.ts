import { ApiError, invalidInput, notFound } from '../../kit/api-error.ts'
import type { CustomerScope } from '../../session/scope.ts'
import type { Account } from '../accounts/accounts.ts'
import type { ChargeRequest } from './charge.ts'
import { METHOD_NOT_READY_TEXT } from './claim.ts'
import type { PaymentsDeps } from '../payments-deps.ts'
import { listStoredMethods } from '../methods/stored-methods.ts'

/** With what an intent is paid. */
export type MethodToPay = Pick<ChargeRequest, 'source' | 'methodId' | 'methodType' | 'isDebit'>

/**
 * A stored method of the customer, to pay with, as this database has it: the provider is not asked.
 * @param type what the payment is sent as, as the form says
 * @throws ApiError 404 without such a method; 400 for another type; 409 for an account that is not confirmed yet
 */
export const requireStoredMethod = async (
  deps: PaymentsDeps,
  { id: accountId }: Account,
  payer: CustomerScope,
  { id: methodId, type = 'card' }: { readonly id: string; readonly type?: string | undefined },
): Promise<MethodToPay & { readonly source: { readonly method: { readonly token: string } } }> => {
  const method = (await listStoredMethods(deps, accountId, payer)).find(({ id }) => id === methodId)
  if (method === undefined) throw notFound()
  if (type !== method.type) throw invalidInput('body.type', `This method is paid with as ${method.type}.`)
  if (method.status !== 'ready') throw new ApiError('method_not_ready', METHOD_NOT_READY_TEXT)
  return { source: { method }, methodId: method.id, methodType: method.type, isDebit: method.kind === 'bank' }
}
