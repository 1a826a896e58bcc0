import { neededField } from '../../checkout/needed-field.ts'

/** Which of first and last name of who pays is not filled in yet, in words. */
export const missingNames = (payer: { readonly payerFirstName: string; readonly payerLastName: string }): readonly string[] =>
  [neededField('payer first name', payer.payerFirstName), neededField('payer last name', payer.payerLastName)].filter(
    (name) => name !== false,
  )
