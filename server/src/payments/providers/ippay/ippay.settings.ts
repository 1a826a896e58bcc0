import { type Static, Type } from 'typebox'
import { DEBIT_DAYS } from '../debits.ts'

/** The settings of a reseller's IPpay terminal. */
export const IPpaySettings = Type.Object(
  {
    terminalId: Type.String({ description: 'a terminal id, of letters and digits', pattern: '^[A-Za-z0-9]{1,20}$' }),
    /** Where one is arranged with IPpay. */
    password: Type.Optional(Type.String({ pattern: '^[!-~]{1,40}$' })),
    /** The login of the reporting service, which is another than the terminal's. */
    merchantId: Type.String({ pattern: '^[A-Za-z0-9]{1,30}$' }),
    reportPassword: Type.String({ pattern: '^[!-~]{1,40}$' }),
    /** The secret token that signs the address of the hosted page. */
    hostedSecret: Type.String({ pattern: '^[!-~]{8,100}$' }),
    ...DEBIT_DAYS,
  },
  { additionalProperties: false },
)
export type IPpaySettings = Static<typeof IPpaySettings>
