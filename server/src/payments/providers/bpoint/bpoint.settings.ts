import { type Static, Type } from 'typebox'
import { DEBIT_DAYS } from '../debits.ts'

/** The settings of a reseller's BPOINT account. */
export const BpointSettings = Type.Object(
  {
    username: Type.String({ pattern: '^[^|:]{1,100}$' }),
    password: Type.String({ minLength: 1, maxLength: 300 }),
    merchantNumber: Type.String({ description: '16 digits', pattern: '^\\d{16}$' }),
    /** Needed when the account has more than one biller. */
    billerCode: Type.Optional(Type.String({ description: 'a number', pattern: '^\\d{1,20}$' })),
    /** Whether payments only rehearse: no money moves, and the cents of the amount decide. */
    testMode: Type.Optional(Type.Boolean()),
    ...DEBIT_DAYS,
  },
  { additionalProperties: false },
)
export type BpointSettings = Static<typeof BpointSettings>
