import { toDecimalText } from '@counterfoil/contract/kit/money'
import { findReseller } from '../../imports/find-reseller.ts'
import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { OperatorError } from '../../kit/api-error.ts'
import { listResellerIds } from '../../payments/reconciliation/review-queue.queries.ts'
import { transactAsReseller, type PaymentsDeps } from '../../payments/payments-deps.ts'
import type { CommandIo } from '../command.ts'

/** The context as the payments engine needs it; the worker sends mail that is queued here. */
export const toPaymentsDeps = (context: AppContext): PaymentsDeps => ({ ...context, onMailQueued: () => undefined })

/** Minor units as exact decimal text, without the currency. */
export const toDecimal = (minor: number | bigint, currency: string): string => toDecimalText({ minor: BigInt(minor), currency })

/** Prints one JSON object, or lines. @returns 0, the exit code of what is done */
export const printResult = (io: CommandIo, json: object, lines: () => readonly string[]): number => {
  if (io.json) io.out(JSON.stringify(json))
  else for (const line of lines()) io.out(line)
  return 0
}

interface OfReseller {
  readonly reseller: string | undefined
}

/** The ids of the one reseller that the option names, or of all. @throws OperatorError when there is none of that name or id */
export const findResellers = async (context: Pick<AppContext, 'store'>, { reseller }: OfReseller): Promise<number[]> => {
  const name = reseller?.trim()
  if (name === undefined) return context.store.transact({ role: 'counterfoil_system' }, listResellerIds)
  return [await requireReseller(context, name)]
}

/** The id of a reseller, found by its name or id. @throws OperatorError when there is none */
export const requireReseller = async ({ store }: Pick<AppContext, 'store'>, name: string): Promise<number> => {
  const found = await store.transact({ role: 'counterfoil_system' }, (db) => findReseller(db, name))
  if (found === undefined) throw new OperatorError(`There is no reseller named ${name}.`)
  return found.id
}

/** Reads rows of each reseller of a command, each in a transaction of its role, into one list. Adds the reseller's id to every row. */
export const readEachReseller = async <Row>(
  context: AppContext,
  options: OfReseller,
  read: (db: Db, resellerId: number) => Promise<Row[]>,
): Promise<(Row & { resellerId: number })[]> => {
  const all: (Row & { resellerId: number })[] = []
  for (const resellerId of await findResellers(context, options)) {
    const rows = await transactAsReseller(toPaymentsDeps(context), resellerId, (db) => read(db, resellerId))
    all.push(...rows.map((row) => ({ ...row, resellerId })))
  }
  return all
}
