import { type RawBuilder, sql } from 'kysely'

declare const brand: unique symbol

/**
 * Leave to read one customer's rows. Only the session gate grants one, after it has seen that the user may act for the customer;
 * every query of tenant rows demands it and begins its `where` with `scope.owns(…)`.
 */
export interface CustomerScope {
  readonly [brand]: true
  readonly customerId: number
  readonly resellerId: number
  readonly brandId: number
  /** The predicate that keeps a table's rows to this customer: `.where(scope.owns('invoice'))`, `.where(scope.owns('customer', 'id'))`. */
  owns(table: string, column?: 'customer_id' | 'id'): RawBuilder<boolean>
}

export interface ScopeOptions {
  /**
   * Off only in the test that takes the predicate out of every query, to see that row-level security alone keeps tenants apart.
   */
  readonly predicate: boolean
}

/** The only mint of a scope; called by session/actor.ts, and by jobs/make-report.ts for a scope that the gate has granted before. */
export const mintScope = (ids: { customerId: number; resellerId: number; brandId: number }, { predicate }: ScopeOptions): CustomerScope =>
  ({
    ...ids,
    owns: (table: string, column = 'customer_id') =>
      predicate ? sql<boolean>`${sql.ref(`${table}.${column}`)} = ${ids.customerId}` : sql<boolean>`true`,
  }) as CustomerScope
