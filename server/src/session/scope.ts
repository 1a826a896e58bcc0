import { type RawBuilder, sql } from 'kysely'

declare const brand: unique symbol

/**
 * Permission to read and change one customer's rows. The access check grants one after checking that the user may act for the customer; so
 * do the rows that a payment link, a stored attempt or a due payment was found by. Every query of a customer's rows requires one and begins
 * its `where` with `scope.owns(…)`. It cannot be written as an object of two numbers, so that a swapped id does not compile.
 */
export interface CustomerScope {
  readonly [brand]: true
  readonly customerId: number
  readonly resellerId: number
  /** The predicate that selects this customer's rows: `.where(scope.owns('invoice'))`, `.where(scope.owns('customer', 'id'))`. */
  readonly owns: (table: string, column?: 'customer_id' | 'id') => RawBuilder<boolean>
}

/** The scope of a request in the portal of a brand. */
export interface PortalScope extends CustomerScope {
  readonly brandId: number
}

export interface ScopeOptions {
  /** False only in the test that removes the predicate from every query, to check that row-level security alone separates tenants. */
  readonly predicate: boolean
}

/**
 * Makes a row a scope. Only session/actor.ts may call it, jobs/generate-report.ts for a scope that was granted when the report was
 * requested, and queries, on the row that a payment link, an attempt or a due payment was found by.
 */
export const mintScope = <Row extends { readonly customerId: number; readonly resellerId: number }>(
  row: Row,
  { predicate }: ScopeOptions = { predicate: true },
): Row & CustomerScope =>
  ({
    ...row,
    owns: (table: string, column = 'customer_id') =>
      predicate ? sql<boolean>`${sql.ref(`${table}.${column}`)} = ${row.customerId}` : sql<boolean>`true`,
  }) as unknown as Row & CustomerScope
