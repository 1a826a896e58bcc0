import type { ENDPOINTS } from '@counterfoil/contract/endpoints'
import { agreementsArea } from './areas/agreements/agreements.routes.ts'
import { autoPayArea } from './areas/auto-pay/auto-pay.routes.ts'
import type { BulkPaymentDeps } from './areas/bulk-payment/bulk-payment.service.ts'
import { bulkPaymentArea } from './areas/bulk-payment/bulk-payment.routes.ts'
import { brandsArea } from './areas/brands/brands.routes.ts'
import { cardFieldsArea } from './areas/card-fields/card-fields.routes.ts'
import { customersArea } from './areas/customers/customers.routes.ts'
import { dashboardArea } from './areas/dashboard/dashboard.routes.ts'
import type { InvoicePaymentDeps } from './areas/invoice-payment/invoice-payment.service.ts'
import { invoicePaymentArea } from './areas/invoice-payment/invoice-payment.routes.ts'
import type { ArchiveDeps } from './areas/invoices/archive.service.ts'
import { invoicesArea } from './areas/invoices/invoices.routes.ts'
import { passwordArea } from './areas/password/password.routes.ts'
import type { PasswordDeps } from './areas/password/password.service.ts'
import { paymentHistoryArea } from './areas/payment-history/payment-history.routes.ts'
import { paymentMethodsArea, providerMethodsArea } from './areas/payment-methods/payment-methods.routes.ts'
import { type PortalSettingsDeps, portalSettingsArea } from './areas/portal-settings/portal-settings.routes.ts'
import { profileArea } from './areas/profile/profile.routes.ts'
import type { ProfileDeps } from './areas/profile/profile.service.ts'
import { registrationArea } from './areas/registration/registration.routes.ts'
import { reportsArea } from './areas/reports/reports.routes.ts'
import type { ReportsDeps } from './areas/reports/reports.service.ts'
import { serviceItemsArea } from './areas/service-items/service-items.routes.ts'
import { servicesArea } from './areas/services/services.routes.ts'
import { signInArea } from './areas/sign-in/sign-in.routes.ts'
import type { SignInDeps } from './areas/sign-in/sign-in.service.ts'
import { transactionsArea } from './areas/transactions/transactions.routes.ts'
import { usageArea } from './areas/usage/usage.routes.ts'
import type { UsageDeps } from './areas/usage/usage.service.ts'
import type { RegisterArea } from './http/request-context.ts'

export type AreasDeps = SignInDeps &
  PasswordDeps &
  ArchiveDeps &
  ProfileDeps &
  InvoicePaymentDeps &
  UsageDeps &
  ReportsDeps &
  BulkPaymentDeps &
  PortalSettingsDeps

/** The functions that register the routes of each area of the contract; does not compile while one is missing. Registers none. */
export const areas = (deps: AreasDeps) =>
  ({
    'sign-in': signInArea(deps),
    password: passwordArea(deps),
    registration: registrationArea(deps),
    customers: customersArea,
    profile: profileArea(deps),
    'portal-settings': portalSettingsArea(deps),
    brands: brandsArea(deps),
    dashboard: dashboardArea,
    invoices: invoicesArea(deps),
    'auto-pay': autoPayArea(deps),
    'payment-history': paymentHistoryArea(deps),
    'payment-methods': paymentMethodsArea(deps),
    'provider-methods': providerMethodsArea(deps),
    'card-fields': cardFieldsArea(deps),
    'invoice-payment': invoicePaymentArea(deps),
    'bulk-payment': bulkPaymentArea(deps),
    agreements: agreementsArea,
    transactions: transactionsArea,
    services: servicesArea,
    'service-items': serviceItemsArea,
    usage: usageArea(deps),
    reports: reportsArea(deps),
  }) satisfies Record<keyof typeof ENDPOINTS, RegisterArea>
