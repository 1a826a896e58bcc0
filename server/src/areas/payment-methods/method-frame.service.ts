import type { Stored } from '@counterfoil/contract/payment-methods'
import { invalidInput, notFound } from '../../kit/api-error.ts'
import type { CustomerRequestContext, FileResponse } from '../../http/request-context.ts'
import type { FrameReturn } from '../../payments/providers/frames.ts'
import { readFrameState } from '../../payments/returns/frame-state.ts'
import { openFrame } from '../../payments/returns/open-frame.ts'
import { type PaymentMethodsDeps, requireFamilyAccount } from './method-family.service.ts'
import { storeMethod } from './store-method.service.ts'
import type { MethodRow } from '../../payments/providers/method.ts'

/**
 * The HTML page in which the provider's own form takes a card or a bank account to store. Nothing is stored yet.
 * @throws ApiError 404 where bank accounts are not taken
 */
export const openMethodFrame = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  kind: MethodRow['kind'],
): Promise<FileResponse> => {
  const account = await requireFamilyAccount(deps, request, pathFamily)
  if (kind === 'bank' && account.debitKind === null) throw notFound()
  return openFrame(deps.payments, account, request.scope, {
    purpose: { purpose: 'store', sessionId: request.actor.sessionId },
    kind,
    amount: null,
    orderNumber: '',
    fields: ['name'],
    requiredFields: ['name'],
  })
}

/**
 * Stores the card or account that was entered in a frame, by the frame's signed state. The provider is asked what was entered; of what its
 * page has posted only details for show are used.
 * @throws ApiError 400 for a state of another purpose or another customer
 */
export const storeFramedMethod = async (
  deps: PaymentMethodsDeps,
  request: CustomerRequestContext,
  pathFamily: string,
  signed: string,
  posted: Pick<FrameReturn, 'details' | 'cardHolder'> = { details: {} },
): Promise<Stored> => {
  const account = await requireFamilyAccount(deps, request, pathFamily)
  const state = readFrameState(deps.payments.keys, signed, request.now)
  if (state?.purpose !== 'store' || state.customerId !== request.scope.customerId)
    throw invalidInput('body.token', 'This form is out of date. Please open it again.')
  const type = state.kind === 'card' ? 'card' : (account.debitKind?.type ?? '')
  const typedMethod = { kind: 'token', token: state.entryRef, details: posted.details } as const
  return storeMethod(deps, request, pathFamily, {
    type,
    typedMethod,
    ...(posted.cardHolder === undefined ? {} : { holder: posted.cardHolder }),
  })
}
