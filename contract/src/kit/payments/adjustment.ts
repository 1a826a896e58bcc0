import { type Static, Type } from 'typebox'

/** An amount outside invoices, and what it is for. */
export const Adjustment = Type.Object({ description: Type.String(), amount: Type.Number() })
export type Adjustment = Static<typeof Adjustment>

/** An amount that is due outside invoices. */
export const DueAdjustment = Type.Object({
  ...Adjustment.properties,
  currency: Type.String({ description: 'ISO 4217' }),
  currencySymbol: Type.String(),
})
export type DueAdjustment = Static<typeof DueAdjustment>
