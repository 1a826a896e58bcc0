import type { ColumnType, Generated } from 'kysely'

/** A column whose value the database fills in when it is left out. */
export type Filled<T> = Generated<T>
/** An exact decimal: text out; text or a whole number in. */
export type Decimal = ColumnType<string, string | number, string | number>
/** Whole minor units; the reader refuses a number beyond 2^53. */
export type Minor = ColumnType<number, bigint | number, bigint | number>
export type Day = string
export type Flag = Generated<boolean>
