import { randomUUID } from 'node:crypto'
import { USAGE_TEXTS, type UsageText } from '../../src/db/tables/usage-columns.data.ts'
import type { AppContext } from '../../src/context.ts'
import { payToken } from '../../src/payments/pay-token.ts'
import { newSecret } from '../../src/session/tokens.ts'
import { addTenantPayment } from './tenant-payments.ts'
import { insertUsage } from './usage.ts'
import { insertRow, addBrand, addCustomer, addInvoice, addPerson, addReseller, type TestPerson } from './people.ts'

export interface TenantCustomer {
  readonly resellerId: number
  readonly brandId: number
  readonly id: number
  /** An invoice drawn from its lines, and one with a file of its own. */
  readonly drawnInvoice: number
  readonly filedInvoice: number
  readonly agreement: number
  readonly period: number
  readonly serviceItem: number
  /** A finished report, and the path of its file. */
  readonly report: { readonly id: string; readonly path: string }
  /** A stored card, a payment intent, and a succeeded payment. */
  readonly payment: { readonly card: string; readonly intent: string; readonly paid: string }
  /** The prefix of every text that belongs to this customer. */
  readonly marker: string
  /** The token of the drawn invoice's payment link. */
  readonly payLink: string
}

/** The prefix of a reseller's texts that belong to no customer. */
export const resellerMarker = (resellerId: number): string => `CNRY-${resellerId}-`

/** Inserts rows of one customer into every table, with marked texts. */
const addTenantCustomer = async (context: AppContext, resellerId: number, brandId: number): Promise<TenantCustomer> => {
  const id = await addCustomer(context, resellerId, brandId)
  const marker = `CNRY-${resellerId}-${id}-`
  const text = (column: string): string => `${marker}${column}`
  const own = { customer_id: id }
  const into: <T extends Parameters<typeof insertRow>[2]>(table: T, row: Parameters<typeof insertRow<T>>[3]) => Promise<number> = (
    table,
    row,
  ) => insertRow(context, resellerId, table, row)

  await context.store.transact({ role: 'counterfoil_reseller', resellerId }, (db) =>
    db
      .updateTable('customer')
      .set({ label: text('label'), external_id: text('reference'), address_lines: [text('street'), text('town')] })
      .where('id', '=', id)
      .execute(),
  )
  const agreement = await into('agreement', { ...own, name: text('agreement'), external_id: text('agreement-id') })
  const period = await into('billing_period', { ...own, starts_on: '2026-10-01', ends_on: '2026-10-31', external_id: text('period') })
  const reseller = { reseller_id: resellerId }
  const service = await into('service', { ...reseller, name: text('service'), external_id: text('service-id') })
  const recordType = await into('record_type', {
    ...reseller,
    service_id: service,
    description: text('kind'),
    external_id: text('kind-id'),
  })
  const item = await into('service_item', {
    ...own,
    service_id: service,
    service_item: text('item'),
    description: text('item-text'),
    cost_centre: text('cost-centre'),
    site: text('site'),
    external_id: text('item-id'),
  })
  await insertUsage(context, resellerId, id, [
    {
      usage_at: '2026-11-03T10:00:00Z',
      service_id: service,
      record_type_id: recordType,
      agreement_id: agreement,
      service_item_id: item,
      ...(Object.fromEntries(USAGE_TEXTS.map(({ column }) => [column, text(column)])) as Record<UsageText['column'], string>),
      cost_centre: text('usage-centre'),
      external_id: text('usage'),
      units: '1.5',
      price: '0.25',
    },
  ])
  const dates = { issued_on: '2026-11-01', due_on: '2026-11-30', agreement_id: agreement, period_id: period }
  const drawnInvoice = await addInvoice(context, resellerId, id, {
    ...dates,
    number: text('drawn'),
    external_id: text('drawn-id'),
  })
  const filedInvoice = await addInvoice(context, resellerId, id, {
    ...dates,
    number: text('filed'),
    external_id: text('filed-id'),
  })
  await into('invoice_file', { ...own, invoice_id: filedInvoice, bytes: Buffer.from(`%PDF-1.7\n% ${text('file')}\n`) })
  for (const invoice_id of [drawnInvoice, filedInvoice]) {
    const line = { service_name: text('line'), description: text('line-text'), service_item: text('line-item'), unit: text('unit') }
    await into('invoice_line', { ...own, invoice_id, line_no: 1, ...line, amount_minor: 10_000 })
    await into('invoice_tax', {
      ...own,
      invoice_id,
      tax_no: 1,
      name: text('tax'),
      rate_percent: '10',
      base_minor: 10_000,
      amount_minor: 1_000,
    })
    const charge = { invoice_id, external_id: text(`tax-charge-${invoice_id}`), name: text('tax-charge'), amount: '9.999' }
    await into('invoice_tax_charge', { ...own, ...charge })
  }
  await into('billing_transaction', {
    ...own,
    agreement_id: agreement,
    period_id: period,
    invoice_id: drawnInvoice,
    product_label: text('product'),
    product_name: text('code'),
    service_id: service,
    service_item: text('transaction-item'),
    site_label: text('transaction-site'),
    extra_field1: text('extra1'),
    external_id: text('transaction'),
    price: '9.99',
    quantity: '2',
  })
  const bundle = await into('bundle', { ...own, name: text('bundle'), external_id: text('bundle-id') })
  const product = { product_name: text('bundle-product'), service_item: text('bundle-item'), unit_label: text('bundle-unit') }
  await into('bundle_product', { ...own, bundle_id: bundle, product_no: 1, ...product, quantity: '10', consumption: '4' })
  await into('opening_balance', { ...own, balance_minor: 1_000 + id, as_of_on: '2026-11-01' })
  await into('data_usage_day', { ...own, used_on: '2026-11-02', gigabytes: String(id) })
  const report = { id: randomUUID(), path: newSecret() }
  const [requestedAt, reportBytes] = [new Date('2026-11-20T11:00:00Z'), Buffer.from(text('report-file'))]
  await into('report_job', {
    ...own,
    ...report,
    reseller_id: resellerId,
    brand_id: brandId,
    report_id: 2,
    parameters: JSON.stringify({ days: null, serviceId: null, invoiceId: null }),
    status: 30,
    tries: 1,
    requested_at: requestedAt,
    expires_at: new Date('2026-11-21T11:00:00Z'),
    file_name: text('report.csv'),
    content_type: 'text/csv; charset=utf-8',
    size_bytes: reportBytes.length,
  })
  await into('report_chunk', { ...own, job_id: report.id, try: 1, n: 0, bytes: reportBytes })
  const payment = await addTenantPayment(context, { id, resellerId, invoice: drawnInvoice, text })
  return {
    resellerId,
    brandId,
    id,
    drawnInvoice,
    filedInvoice,
    agreement,
    period,
    serviceItem: item,
    report,
    payment,
    marker,
    payLink: payToken(context.keys, id, drawnInvoice),
  }
}

const addTenantReseller = async (context: AppContext, id: number) => {
  const marker = resellerMarker(id)
  await addReseller(context, {
    id,
    name: `${marker}name`,
    legal_name: `${marker}company`,
    registration_number: `${marker}number`,
    address_lines: [`${marker}street`],
    email: `${marker}mail`,
    phone: `${marker}phone`,
    invoice_label_singular: `${marker}invoice`,
    invoice_label_plural: `${marker}invoices`,
    invoice_terms: `${marker}terms`,
    publishable_key: `${marker}key`,
    payment_type_disclaimer: `${marker}disclaimer`,
    confirmation_message_for_charging: `${marker}message`,
    payments_enabled: true,
  })
  await insertRow(context, id, 'extra_field_label', { reseller_id: id, extra_field_type_id: 3, extra_field1: `${marker}extra` })
  const named = (name: string) => ({ name: `${marker}${name}`, end_service_item_display_name: `${marker}${name}-label` })
  const [brand, darkBrand] = [
    await addBrand(context, id, named('brand')),
    await addBrand(context, id, { ...named('dark'), ...EVERYTHING_OFF }),
  ]
  const customers: TenantCustomer[] = []
  for (const brandId of [brand, brand, darkBrand]) customers.push(await addTenantCustomer(context, id, brandId))
  const [first, second, dark] = customers as [TenantCustomer, TenantCustomer, TenantCustomer]
  return { id, brand, darkBrand, first, second, dark }
}

const EVERYTHING_OFF = {
  end_show_dashboard: false,
  end_show_invoices: false,
  end_show_transactions: false,
  end_show_usage: false,
  end_show_reports: false,
  end_show_cost_centre: false,
  end_show_service_item: false,
} as const

/** Inserts two resellers with two brands and three customers each, and their users. Reseller 2204 sees the usage charts. */
export const addTenants = async (context: AppContext) => {
  const ours = await addTenantReseller(context, 2204)
  const rivals = await addTenantReseller(context, 3001)
  const person = (brandId: number, customers: readonly TenantCustomer[]): Promise<TestPerson> =>
    addPerson(
      context,
      customers[0]?.resellerId ?? 0,
      brandId,
      customers.map(({ id }) => id),
    )
  return {
    ours,
    rivals,
    people: {
      /** Acts for our first customer. */
      one: await person(ours.brand, [ours.first]),
      /** Acts for our first and second. */
      two: await person(ours.brand, [ours.first, ours.second]),
      /** Belongs to the brand with every section switched off. */
      dark: await person(ours.darkBrand, [ours.dark]),
      rival: await person(rivals.brand, [rivals.first]),
      /** Disabled or signed out by the tests. */
      disabled: await person(ours.brand, [ours.first]),
      loggedOut: await person(ours.brand, [ours.first]),
    },
  }
}

export type Tenants = Awaited<ReturnType<typeof addTenants>>
