import type { PinchSession } from '../store/pinch-session.ts'
import { validationError } from '../api/pinch-error.ts'
import { newId } from '../store/ids.ts'
import type { Source } from './source.ts'

const PAYER_FIELDS = [
  'firstName',
  'lastName',
  'emailAddress',
  'mobileNumber',
  'streetAddress',
  'suburb',
  'postcode',
  'state',
  'country',
  'companyName',
  'companyRegistrationNumber',
  'metadata',
] as const

export type PayerField = (typeof PAYER_FIELDS)[number]

export interface Payer {
  readonly id: string
  readonly object: 'payer'
  readonly fields: Readonly<Partial<Record<PayerField, string>>>
  readonly sources: readonly Source[]
  readonly agreement: object
}

/** A payer with a new id and an active agreement, not stored yet. */
export const newPayer = (fields: Payer['fields'], sources: readonly Source[], at: string): Payer => ({
  id: newId('pyr'),
  object: 'payer',
  fields,
  sources,
  agreement: { id: newId('agr'), anonymousViewToken: newId('view', 50), agreementDateUtc: at, confirmedDateUtc: at, status: 'active' },
})

/** A payer as payments show it; what is not known is null. */
export const shownPayer = ({ id, fields }: Payer): object => ({
  id,
  ...Object.fromEntries(PAYER_FIELDS.map((name) => [name, fields[name] ?? null])),
})

/** A payer as its own calls show it, with sources and agreement. */
export const payerBody = (payer: Payer): object => ({ ...shownPayer(payer), sources: payer.sources, agreements: [payer.agreement] })

export const payerFieldNames: readonly PayerField[] = PAYER_FIELDS

/** A stored payer. @throws PinchError (400) with this message when there is no such payer */
export const getPayer = (session: PinchSession, id: string, message: (id: string) => string): Payer => {
  const payer = session.find<Payer>('payer', id)
  if (payer === undefined) throw validationError('PayerId', message(id))
  return payer
}
