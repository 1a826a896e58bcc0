import { type RawBuilder, sql } from 'kysely'

declare const brand: unique symbol

/**
 * Permission to read one customer's rows. Only the access check grants one, after checking that the user may act for the customer. Every
 * query of tenant rows requires one and begins its `where` with `scope.owns(…)`.
 */
export interface CustomerScope {
  readonly [brand]: true
  readonly customerId: number
  readonly resellerId: number
  readonly brandId: number
  /** The predicate that selects this customer's rows: `.where(scope.owns('invoice'))`, `.where(scope.owns('customer', 'id'))`. */
  owns(table: string, column?: 'customer_id' | 'id'): RawBuilder<boolean>
}

export interface ScopeOptions {
  /** False only in the test that removes the predicate from every query, to check that row-level security alone separates tenants. */
  readonly predicate: boolean
}

/**
 * Creates a scope. Only session/actor.ts may call it, and jobs/generate-report.ts for a scope that was granted when the report was requested.
 */
export const mintScope = (ids: { customerId: number; resellerId: number; brandId: number }, { predicate }: ScopeOptions): CustomerScope =>
  ({
    ...ids,
    owns: (table: string, column = 'customer_id') =>
      predicate ? sql<boolean>`${sql.ref(`${table}.${column}`)} = ${ids.customerId}` : sql<boolean>`true`,
  }) as CustomerScope
