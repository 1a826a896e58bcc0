import { unitsToText } from '@counterfoil/contract/kit/decimal'
import { type Account, agreementId, periodId, serviceId } from '../account.ts'
import type { Rows } from '../seed.queries.ts'

/** The rows of a customer without its invoices: agreements, periods, connections, bundles, and data by day. */
export const accountRows = (account: Account) => ({
  agreement: account.profile.agreements.map((name, index) => ({
    customer_id: account.id,
    id: agreementId(account.id, index),
    name,
  })) satisfies Rows<'agreement'>,
  billing_period: account.periods.map(({ index, startsOn, endsOn }) => ({
    customer_id: account.id,
    id: periodId(account.id, index),
    agreement_id: null, // a calendar month is the same for every agreement
    starts_on: startsOn,
    ends_on: endsOn,
  })) satisfies Rows<'billing_period'>,
  service_item: account.connections.map((connection) => ({
    customer_id: account.id,
    id: connection.id,
    service_id: serviceId(account.reseller.id, connection.serviceNo),
    service_item: connection.number,
    description: connection.description,
    cost_centre: connection.costCentre,
    site: connection.site,
  })) satisfies Rows<'service_item'>,
  data_usage_day: account.usage.dataDays.map(({ day, unitsMilli }) => ({
    customer_id: account.id,
    used_on: day,
    gigabytes: unitsToText(BigInt(unitsMilli), 6),
  })) satisfies Rows<'data_usage_day'>,
  ...bundleRows(account),
})

/** The id of a demo customer's bundle: the customer's id with a digit more. */
const bundleId = (customerId: number, index: number): number => customerId * 10 + index + 1

/** The rows of a customer's bundles and their products. */
const bundleRows = (account: Account) => ({
  bundle: account.profile.bundles.map(({ name }, index) => ({
    customer_id: account.id,
    id: bundleId(account.id, index),
    name,
  })) satisfies Rows<'bundle'>,
  bundle_product: account.profile.bundles.flatMap(({ products }, index) =>
    products.map(({ name, quantity, unit, usedPercent, ofService }, productNo) => ({
      customer_id: account.id,
      bundle_id: bundleId(account.id, index),
      product_no: productNo + 1,
      product_name: name,
      service_item: account.connections.find(({ serviceNo }) => serviceNo === ofService)?.number ?? '',
      quantity,
      unit_label: unit,
      consumption: unitsToText(BigInt(quantity * Math.round(usedPercent * 10)), 3),
    })),
  ) satisfies Rows<'bundle_product'>,
})
