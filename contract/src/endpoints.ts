import { agreements } from './areas/agreements.ts'
import { autoPay } from './areas/auto-pay.ts'
import { brands } from './areas/brands.ts'
import { bulkPayment } from './areas/bulk-payment.ts'
import { cardFields } from './areas/card-fields.ts'
import { customers } from './areas/customers.ts'
import { dashboard } from './areas/dashboard.ts'
import { invoicePayment } from './areas/invoice-payment.ts'
import { invoices } from './areas/invoices.ts'
import { password } from './areas/user/password.ts'
import { paymentHistory } from './areas/payment-history.ts'
import { paymentMethods } from './areas/payment-methods.ts'
import { portalSettings } from './areas/portal-settings.ts'
import { profile } from './areas/user/profile.ts'
import { providerMethods } from './areas/providers/provider-methods.ts'
import { registration } from './areas/registration.ts'
import { reports } from './areas/reports.ts'
import { serviceItems } from './areas/service-items.ts'
import { services } from './areas/services.ts'
import { signIn } from './areas/sign-in.ts'
import { transactions } from './areas/transactions.ts'
import { usage } from './areas/usage.ts'
import type { Endpoint } from './kit/http/endpoint.ts'

/** Every endpoint by its area; the server must serve each exactly once. */
export const ENDPOINTS = {
  'sign-in': signIn,
  password,
  registration,
  customers,
  profile,
  'portal-settings': portalSettings,
  brands,
  dashboard,
  invoices,
  'auto-pay': autoPay,
  'payment-history': paymentHistory,
  'payment-methods': paymentMethods,
  'provider-methods': providerMethods,
  'card-fields': cardFields,
  'invoice-payment': invoicePayment,
  'bulk-payment': bulkPayment,
  agreements,
  transactions,
  services,
  'service-items': serviceItems,
  usage,
  reports,
} as const satisfies Record<string, Record<string, Endpoint>>
