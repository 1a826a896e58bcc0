import type { ColumnType, Generated } from 'kysely'

/** A column that the database fills when it is omitted. */
export type Filled<T> = Generated<T>
/** An exact decimal: read as text; written as text or an integer. */
export type Decimal = ColumnType<string, string | number, string | number>
/** Minor units; reading a number beyond 2^53 throws. */
export type Minor = ColumnType<number, bigint | number, bigint | number>
export type Day = string
export type Flag = Generated<boolean>
