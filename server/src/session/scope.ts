import { type RawBuilder, sql } from 'kysely'

declare const brand: unique symbol

/**
 * Permission to act on one customer's payments. A customer's scope is one; a payment link and a stored attempt grant one too. It cannot be
 * written as an object of two numbers, so that a swapped id does not compile.
 */
export interface PayerScope {
  readonly [brand]: true
  readonly customerId: number
  readonly resellerId: number
}

/**
 * Permission to read one customer's rows. Only the access check grants one, after checking that the user may act for the customer. Every
 * query of tenant rows requires one and begins its `where` with `scope.owns(…)`.
 */
export interface CustomerScope extends PayerScope {
  readonly brandId: number
  /** The predicate that selects this customer's rows: `.where(scope.owns('invoice'))`, `.where(scope.owns('customer', 'id'))`. */
  owns(table: string, column?: 'customer_id' | 'id'): RawBuilder<boolean>
}

export interface ScopeOptions {
  /** False only in the test that removes the predicate from every query, to check that row-level security alone separates tenants. */
  readonly predicate: boolean
}

/**
 * Creates a scope. Only session/actor.ts may call it, jobs/generate-report.ts for a scope that was granted when the report was requested, and
 * payments/payment-link.queries.ts for the documents of a linked invoice.
 */
export const mintScope = (ids: { customerId: number; resellerId: number; brandId: number }, { predicate }: ScopeOptions): CustomerScope =>
  ({
    ...ids,
    owns: (table: string, column = 'customer_id') =>
      predicate ? sql<boolean>`${sql.ref(`${table}.${column}`)} = ${ids.customerId}` : sql<boolean>`true`,
  }) as CustomerScope

/** Marks a row as a payer's scope. Only queries may call it, on the row that a payment link or an attempt was found by. */
export const mintPayerScope = <Row extends { readonly customerId: number; readonly resellerId: number }>(row: Row): Row & PayerScope =>
  row as Row & PayerScope
