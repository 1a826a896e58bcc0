import type { ColumnType, Generated } from 'kysely'

/** A column that is never null, because the database fills it when it is omitted. */
export type NonNullColumn<T> = Generated<T>
/** An exact decimal: read as text; written as text or an integer. */
export type Decimal = ColumnType<string, string | number, string | number>
/** Minor units; reading a number beyond 2^53 throws. */
export type MinorUnits = ColumnType<number, bigint | number, bigint | number>
export type Day = string
/** True or false, never null: the database fills it when it is omitted. */
export type BooleanColumn = Generated<boolean>
