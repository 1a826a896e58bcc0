import { createElement } from 'react'
import { methodLabel } from '@counterfoil/contract/kit/payments/method-label'
import type { BpointMethod } from '@counterfoil/contract/providers/bpoint'
import { toFact } from '../../methods/method-facts.ts'
import type { SavedMethod } from '../panel.ts'
import { BrandImage } from './brand-image.tsx'
import { schemeName } from './schemes.ts'
import { fetchMethods } from './methods.data.ts'

/** Fetches the saved methods, cards first, in the form that every provider's have. */
export const fetchSavedMethods = async (signal: AbortSignal): Promise<readonly SavedMethod[]> =>
  (await fetchMethods(signal)).map((method) => toSavedMethod(method))

/** A card or a bank account of BPOINT in the form that every provider's methods have. */
export const toSavedMethod = (method: BpointMethod): SavedMethod => {
  const { id, isDefault, type = 'card', sourceType } = method
  const both = { id, isDefault, type, isPending: false }
  return sourceType === 'ACH' ? { ...both, kind: 'bank', ...accountParts(method) } : { ...both, kind: 'card', ...cardParts(method) }
}

type Shown = Pick<SavedMethod, 'title' | 'detail' | 'facts' | 'image'>

/** A card: its brand as an image, and its number as BPOINT masks it (BP-02). */
const cardParts = ({ bPointCard }: BpointMethod): Shown => {
  const { scheme = null, number = null, expiryMonth = null, expiryYear = null, name = null, emailAddress = null } = bPointCard ?? {}
  const expiry = expiryMonth === null || expiryYear === null ? null : `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`
  return {
    title: number ?? schemeName(scheme),
    image: createElement(BrandImage, { scheme }),
    detail: expiry === null ? '' : `Expires ${expiry}`,
    facts: [toFact('Name', name, 'name'), toFact('Expiry date', expiry, 'expiry date'), toFact('Email', emailAddress, 'email')],
  }
}

/** An account: its BSB and the last four digits (BP-02). */
const accountParts = ({ bPointBankAccount, accountHolderName, type = '' }: BpointMethod): Shown => {
  const { bsb = null, account = null } = bPointBankAccount ?? {}
  return {
    title: methodLabel(type, { bankCode: bsb, last4: account }),
    detail: accountHolderName ?? '',
    facts: [
      toFact('Account holder', accountHolderName, 'account holder'),
      toFact('BSB', bsb),
      toFact('Account number', account && `•••• ${account}`, 'account number'),
    ],
  }
}
