import type { MethodDetails, NewCard } from '../method.ts'

/** A payer's details under the names of Nexio's customer fields; missing details are undefined or null. */
const toNexioFields = ({ email, phone, address, shippingAddress, shippingPhone, ...payer }: NewCard | MethodDetails) => ({
  firstName: payer.payerFirstName,
  lastName: payer.payerLastName,
  email,
  phone,
  billToAddressOne: address?.line1,
  billToAddressTwo: address?.line2,
  billToCity: address?.city,
  billToState: address?.state,
  billToPostal: address?.postalCode,
  billToCountry: address?.country,
  billToPhone: phone,
  shipToAddressOne: shippingAddress,
  shipToPhone: shippingPhone,
})

/** A payer's details as Nexio's customer, without empty fields. */
export const toNexioCustomer = (details: NewCard | MethodDetails): Record<string, string> =>
  Object.fromEntries(
    Object.entries(toNexioFields(details)).flatMap(([name, text]) =>
      text === undefined || text === null || text === '' ? [] : [[name, text]],
    ),
  )

/** The payer's details of a method, from the fields of Nexio's customer; empty ones are left out. */
export const fromNexioCustomer = (customer: Readonly<Record<string, unknown>>): MethodDetails => {
  const text = (name: string): string | undefined => {
    const value = customer[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const address = withoutGaps({
    line1: text('billToAddressOne'),
    line2: text('billToAddressTwo'),
    city: text('billToCity'),
    state: text('billToState'),
    postalCode: text('billToPostal'),
    country: text('billToCountry'),
  })
  return {
    ...withoutGaps({
      payerFirstName: text('firstName'),
      payerLastName: text('lastName'),
      email: text('email'),
      phone: text('billToPhone') ?? text('phone'),
      shippingAddress: text('shipToAddressOne'),
      shippingPhone: text('shipToPhone'),
    }),
    ...(Object.keys(address).length === 0 ? {} : { address }),
  }
}

/** The fields that are not undefined; null and empty texts stay. */
export const withoutGaps = <T extends Readonly<Record<string, unknown>>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> }
