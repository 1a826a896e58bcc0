import { SECTION_FLAGS, type SectionFlag, type SectionFlags } from '@counterfoil/contract/kit/sections'
import { expect, test } from 'vitest'
import { type Branding, DEFAULT_SETTINGS } from '../account/account.tsx'
import { homePath, isPathEnabled, menuSections, offersPaymentTypes } from './sections.tsx'

const branding = (...flags: SectionFlag[]): Branding => ({
  flags: {
    ...(Object.fromEntries(SECTION_FLAGS.map((flag) => [flag, flags.includes(flag)])) as SectionFlags),
    endShowOpeningBalance: true,
    endShowUsageCostCentre: true,
    endPortalTransactionsExtraTab1: false,
    endPortalTransactionsExtraTab2: false,
    endPortalTransactionsExtraTab3: false,
    endPortalTransactionsExtraTab4: false,
    endPortalTransactionsExtraTab5: false,
  },
  serviceItemLabel: 'Connections',
  hasDarkLogo: false,
  help: null,
})
const account = (...flags: SectionFlag[]) => ({ branding: branding(...flags), settings: DEFAULT_SETTINGS })

test('[NAV-01] / redirects to the first enabled section, else to /settings', () => {
  expect(homePath(account(...SECTION_FLAGS))).toBe('/dashboard')
  expect(homePath(account('endShowInvoices', 'endShowUsage'))).toBe('/invoices')
  expect(homePath(account('endShowReports', 'endShowTransactions'))).toBe('/transactions')
  expect(homePath(account('endShowTransactions', 'endShowUsage'))).toBe('/usage')
  expect(homePath(account())).toBe('/settings')
})

test('[NAV-02] the menu shows only enabled sections with a screen, Transactions before Usage', () => {
  expect(menuSections(account(...SECTION_FLAGS)).map(({ path }) => path)).toEqual([
    '/dashboard',
    '/invoices',
    '/transactions',
    '/usage',
    '/reports',
    '/cost-centre',
    '/service-items',
  ])
  expect(menuSections(account('endShowInvoices')).map(({ path }) => path)).toEqual(['/invoices'])
})

test('[NAV-02] [NAV-08] a disabled section has no path; /settings is always enabled', () => {
  expect(isPathEnabled('/invoices', branding('endShowDashboard'))).toBe(false)
  expect(isPathEnabled('/dashboard', branding('endShowDashboard'))).toBe(true)
  expect(isPathEnabled('/settings', branding())).toBe(true)
})

test('[EASE-08] spending is a page below the dashboard: there where the dashboard is, and in no menu', () => {
  expect([branding('endShowDashboard'), branding('endShowInvoices')].map((one) => isPathEnabled('/spending', one))).toEqual([true, false])
  expect(menuSections(account(...SECTION_FLAGS)).map(({ path }) => path)).not.toContain('/spending')
})

test('[NAV-03] the invoices entry has the plural label of the portal settings, or Invoices when it is empty', () => {
  const labelled = { ...DEFAULT_SETTINGS, invoiceLabel: { singular: 'Rechnung', plural: 'Rechnungen' } }
  const unlabelled = { ...DEFAULT_SETTINGS, invoiceLabel: { singular: '', plural: '' } }
  const labels = [labelled, unlabelled].map((settings) => menuSections({ branding: branding('endShowInvoices'), settings })[0]?.label)
  expect(labels).toEqual(['Rechnungen', 'Invoices'])
})

test('[NAV-06] Payment Types is for the seven payment providers, and can be hidden from customer users but not from super-users', () => {
  const payments = (paymentType: number, enabled = true) => ({ enabled, paymentType })
  const offered = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].filter((type) => offersPaymentTypes(payments(type), false, false))
  expect(offered).toEqual([1, 2, 4, 5, 6, 8, 10])
  expect(offersPaymentTypes(payments(1), false, true)).toBe(false)
  expect(offersPaymentTypes(payments(1), true, true)).toBe(true)
  expect(offersPaymentTypes(payments(0), true, false)).toBe(false)
  expect(offersPaymentTypes(payments(1, false), true, false)).toBe(false)
})
