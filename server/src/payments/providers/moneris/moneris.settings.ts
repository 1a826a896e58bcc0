import { type Static, Type } from 'typebox'

/** The settings of a reseller's Moneris store. */
export const MonerisSettings = Type.Object(
  {
    storeId: Type.String({ description: 'a store id, of letters, digits, - and _', pattern: '^[A-Za-z0-9_-]{1,20}$' }),
    apiToken: Type.String({ pattern: '^[!-~]{1,40}$' }),
    /** The terminal whose open totals prove that the credentials are right. */
    ecrNumber: Type.String({ pattern: '^[A-Za-z0-9]{1,20}$' }),
    /** The hosted tokenization profile, by which Moneris' own fields are shown. */
    profileId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' }),
  },
  { additionalProperties: false },
)
export type MonerisSettings = Static<typeof MonerisSettings>
