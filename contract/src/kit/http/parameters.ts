import { type Static, Type } from 'typebox'

/** Name and value pairs, as reports and the usage download take them; values are text, "0" means all. */
export const Parameters = Type.Array(
  Type.Object(
    { name: Type.String({ minLength: 1, maxLength: 64 }), value: Type.String({ maxLength: 64 }) },
    { additionalProperties: false },
  ),
  { maxItems: 20 },
)
export type Parameters = Static<typeof Parameters>
