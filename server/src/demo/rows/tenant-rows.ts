import { type Account, recordTypeId, serviceId } from '../account.ts'
import { demoPublishableKey } from '../demo-keys.ts'
import type { ResellerProfile } from '../profile.ts'
import type { Rows } from '../seed.queries.ts'

/** The row of the reseller. */
export const resellerRow = (profile: ResellerProfile): Rows<'reseller'>[number] => ({
  id: profile.id,
  name: profile.name,
  legal_name: profile.legalEntity.name,
  registration_number: profile.legalEntity.number,
  address_lines: [...profile.legalEntity.addressLines],
  email: profile.legalEntity.email,
  phone: profile.legalEntity.phone,
  currency: profile.currency,
  currency_symbol: profile.currencySymbol,
  invoice_label_singular: profile.invoiceLabel?.singular ?? 'Invoice',
  invoice_label_plural: profile.invoiceLabel?.plural ?? 'Invoices',
  invoice_terms: profile.terms,
  payment_type: profile.payment.type,
  payments_enabled: profile.payment.type !== 0,
  payments_bulk: profile.payment.type !== 0,
  publishable_key: demoPublishableKey(profile.payment.type, profile.id),
  direct_debit_payment_method_id: profile.payment.directDebitMethodId,
  payment_type_disclaimer: profile.payment.disclaimer ?? null,
  payment_billing_address_required: profile.payment.billingAddressRequired ?? false,
  payment_raw_card: profile.payment.rawCard ?? false,
  payment_email_receipt: profile.payment.type !== 0,
  customer_permission_for_charging: profile.payment.consentMessage !== undefined,
  confirmation_message_for_charging: profile.payment.consentMessage ?? null,
  hide_payment_types_for_customer_users: profile.payment.hidePaymentTypes ?? false,
})

/** The row of the reseller's one brand, which has the reseller's id. */
export const brandRow = ({ id, name, brand, currencySymbol }: ResellerProfile): Rows<'brand'>[number] => {
  const [colour1, colour2, colour3, colour4, colour5, colour6, colour7] = brand.colours
  return {
    id,
    reseller_id: id,
    name,
    domain: brand.domain,
    colour1,
    colour2,
    colour3,
    colour4,
    colour5,
    colour6,
    colour7,
    ...brand.flags,
    end_service_item_display_name: brand.itemLabel,
    currency_symbol: currencySymbol,
    ...brand.help,
  }
}

/** The id of a reseller's user, alike in every installation, so that bookmarks and tests keep working. */
export const userId = (resellerId: number): string => `de000000-0000-4000-8000-${String(resellerId).padStart(12, '0')}`

/** The rows of the reseller's one user, of the customers, and of the customers that the user acts for, the first selected. */
export const peopleRows = (profile: ResellerProfile, accounts: readonly Account[], passwordHash: string) => ({
  app_user: [
    {
      id: userId(profile.id),
      reseller_id: profile.id,
      brand_id: profile.id,
      username: profile.user.username,
      email: `${profile.user.username}@example.com`,
      display_name: profile.user.displayName,
      password_hash: passwordHash,
    },
  ] satisfies Rows<'app_user'>,
  customer: accounts.map(({ id, profile: { label, reference, addressLines } }) => ({
    id,
    reseller_id: profile.id,
    brand_id: profile.id,
    external_id: reference,
    label,
    address_lines: [...addressLines],
    currency: profile.currency,
    currency_symbol: profile.currencySymbol,
  })) satisfies Rows<'customer'>,
  user_customer: accounts.map(({ id }, index) => ({
    user_id: userId(profile.id),
    customer_id: id,
    selected: index === 0,
  })) satisfies Rows<'user_customer'>,
})

/** The rows of the reseller's services and record types, and of its labels of extra fields. */
export const catalogueRows = (profile: ResellerProfile) => ({
  service: profile.services.map(({ name, itemLabel }, serviceNo) => ({
    id: serviceId(profile.id, serviceNo),
    reseller_id: profile.id,
    name,
    service_item_label: itemLabel,
  })) satisfies Rows<'service'>,
  record_type: profile.services.flatMap(({ records }, serviceNo) =>
    records.map(({ description }, recordNo) => ({
      id: recordTypeId(profile.id, serviceNo, recordNo),
      reseller_id: profile.id,
      service_id: serviceId(profile.id, serviceNo),
      description,
    })),
  ) satisfies Rows<'record_type'>,
  extra_field_label: labelRows(profile),
})

/** The extra fields of transactions have type 3 (TXN-03). */
const TRANSACTION_FIELDS_TYPE_ID = 3

/** The row of the reseller's labels of extra fields of transactions; none where it has no such labels. */
const labelRows = ({ id, transactionLabels }: ResellerProfile): Rows<'extra_field_label'> => {
  if (transactionLabels === undefined) return []
  const [extra_field1, extra_field2, extra_field3, extra_field4, extra_field5] = transactionLabels
  return [
    {
      reseller_id: id,
      extra_field_type_id: TRANSACTION_FIELDS_TYPE_ID,
      extra_field1,
      extra_field2,
      extra_field3,
      extra_field4,
      extra_field5,
    },
  ]
}
