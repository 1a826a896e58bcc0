import { Type } from 'typebox'

/** The id of a record. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** The id to filter by; absent or 0 means all. */
export const FilterId = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Absent or 0: all' }))
