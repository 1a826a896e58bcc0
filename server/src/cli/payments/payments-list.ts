import { OperatorError } from '../../kit/api-error.ts'
import { quoteValue } from '../../imports/bad-row.ts'
import { ATTEMPT_STATUSES } from '../../payments/attempts/attempt.ts'
import { command, OF_RESELLER, textOption } from '../command.ts'
import { parseId } from '../tenants/fields.rules.ts'
import { printList } from '../tenants/print.ts'
import { findResellerId, requireCustomer } from '../tenants/require-tenant.ts'
import { readEachReseller } from './command-support.ts'
import { toListedPayment } from './payment-output.ts'
import { listPayments } from './payments-list.queries.ts'

const DEFAULT_LIMIT = 1_000

export const paymentsListCommand = command({
  name: 'payments list',
  about: 'list payments, newest first',
  options: {
    customer: textOption('external id or id', 'of this customer alone'),
    invoice: textOption('external id or number', 'of this invoice alone'),
    status: textOption('status', ATTEMPT_STATUSES.join(', ')),
    limit: textOption('number', `how many at most (${DEFAULT_LIMIT})`),
    reseller: OF_RESELLER,
  },
  run: async (context, io, _, options) => {
    const limit = parseId('limit', options.limit ?? String(DEFAULT_LIMIT))
    const { customer, reseller } = options
    const [invoice, status] = [options.invoice?.trim(), options.status?.trim()]
    if (status !== undefined && !ATTEMPT_STATUSES.some((known) => known === status))
      throw new OperatorError(`--status: ${quoteValue(status)} is none of ${ATTEMPT_STATUSES.join(', ')}.`)
    const of = await context.store.transact({ role: 'counterfoil_system' }, async (db) =>
      customer === undefined ? undefined : requireCustomer(db, customer, await findResellerId(db, reseller)),
    )
    const filter = {
      ...(of === undefined ? {} : { customerId: of.id }),
      ...(invoice === undefined ? {} : { invoice }),
      ...(status === undefined ? {} : { status }),
      limit,
    }
    const rows = await readEachReseller(context, { reseller: of === undefined ? reseller : String(of.resellerId) }, (db) =>
      listPayments(db, filter),
    )
    const newest = rows.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime()).slice(0, limit)
    return printList(io, 'payments', newest.map(toListedPayment), ['providerRef', 'invoiceIds'])
  },
})
