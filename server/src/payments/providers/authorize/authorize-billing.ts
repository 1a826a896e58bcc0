import type { MethodAddress, NewCard } from '../method.ts'
import type { Fields } from './authorize-client.ts'

/** The fields of a billing address in the order of the schema, with their longest texts. */
const LENGTHS = {
  firstName: 50,
  lastName: 50,
  company: 50,
  address: 60,
  city: 40,
  state: 40,
  zip: 20,
  country: 60,
  phoneNumber: 25,
} as const

/** A billing address as the gateway has it. */
export type BillTo = { readonly [Name in keyof typeof LENGTHS]?: string }

/** The billing address of a new card or account; undefined when nothing of it was typed. */
export const toBillTo = ({
  holder,
  legalName,
  address,
  phone,
}: Pick<NewCard, 'holder' | 'legalName' | 'address' | 'phone'>): Fields | undefined =>
  orderBillTo({
    ...splitName(holder),
    ...(legalName === undefined ? {} : { company: legalName }),
    ...toAddressFields(address),
    ...(phone === undefined ? {} : { phoneNumber: phone }),
  })

/** The filled fields of a billing address in the schema's order, cut to its lengths; undefined when all are empty. */
export const orderBillTo = (billTo: BillTo): Fields | undefined => {
  const filled = Object.entries(LENGTHS).flatMap(([name, length]) => {
    const text = billTo[name as keyof BillTo]?.trim().slice(0, length) ?? ''
    return text === '' ? [] : [[name, text] as const]
  })
  return filled.length === 0 ? undefined : Object.fromEntries(filled)
}

/**
 * The address of a method in the gateway's fields, which have one line for the street. A missing part is an empty text; no address gives no
 * fields.
 */
export const toAddressFields = (address: MethodAddress | undefined): BillTo => {
  if (address === undefined) return {}
  const { line1, line2, city, state, postalCode, country } = address
  const street = [line1, line2].filter((line) => line !== undefined && line !== null && line !== '').join(', ')
  return { address: street, city: city ?? '', state: state ?? '', zip: postalCode ?? '', country: country ?? '' }
}

/** A name as first and last name: the last word is the last name, and a single word is a last name alone. */
export const splitName = (name: string | undefined): BillTo => {
  const words = (name ?? '').trim().split(/\s+/)
  const lastName = words.pop() ?? ''
  return words.length === 0 ? { lastName } : { firstName: words.join(' '), lastName }
}
