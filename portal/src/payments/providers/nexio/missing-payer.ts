import { neededField } from '../../checkout/needed-field.ts'

/** What is not filled in yet of the name of who pays. */
export const missingNames = (payer: { readonly payerFirstName: string; readonly payerLastName: string }): readonly string[] =>
  [neededField('payer first name', payer.payerFirstName), neededField('payer last name', payer.payerLastName)].filter(
    (name) => name !== false,
  )
