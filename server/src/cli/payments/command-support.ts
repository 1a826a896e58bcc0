import { toDecimalText } from '@counterfoil/contract/kit/money'
import { findReseller } from '../../imports/find-reseller.ts'
import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { listResellerIds } from '../../payments/reconciliation/review-queue.queries.ts'
import { transactAsReseller, type PaymentsDeps } from '../../payments/payments-deps.ts'
import type { CommandIo, Options } from '../command.ts'

/** The house as the payments engine knows it; mail that is queued here is sent by the worker's next round. */
export const paymentsDeps = (context: AppContext): PaymentsDeps => ({ ...context, onMailQueued: () => undefined })

/** An exact amount as decimal text. */
export const decimal = (minor: number | bigint, currency: string): string => toDecimalText({ minor: BigInt(minor), currency })

/** Says it as one JSON object, or in lines. */
export const tell = (io: CommandIo, json: object, lines: () => readonly string[]): void => {
  if (io.json) io.out(JSON.stringify(json))
  else for (const line of lines()) io.out(line)
}

/** An option's text; undefined when it was not given. */
export const given = (options: Options, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value.trim() : undefined
}

/**
 * The resellers that a command is about: the one that is named, or all.
 * @throws OperatorError when there is none of that name
 */
export const resellersMeant = async (context: Pick<AppContext, 'store'>, options: Options): Promise<number[]> => {
  const name = given(options, 'reseller')
  if (name === undefined) return context.store.transact({ role: 'counterfoil_system' }, listResellerIds)
  return [await resellerMeant(context, name)]
}

/** @throws OperatorError when there is no reseller of that name or id */
export const resellerMeant = async ({ store }: Pick<AppContext, 'store'>, name: string): Promise<number> => {
  const found = await store.transact({ role: 'counterfoil_system' }, (db) => findReseller(db, name))
  if (found === undefined) throw new OperatorError(`There is no reseller named ${name}.`)
  return found.id
}

/** What is read of each reseller that a command is about, in one list. */
export const eachReseller = async <Row>(
  context: AppContext,
  options: Options,
  read: (db: Db, resellerId: number) => Promise<Row[]>,
): Promise<(Row & { resellerId: number })[]> => {
  const all: (Row & { resellerId: number })[] = []
  for (const resellerId of await resellersMeant(context, options)) {
    const rows = await transactAsReseller(paymentsDeps(context), resellerId, (db) => read(db, resellerId))
    all.push(...rows.map((row) => ({ ...row, resellerId })))
  }
  return all
}
