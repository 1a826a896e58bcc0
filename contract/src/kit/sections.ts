/** The brand flags that open a section, a tile or a column, in the API's spelling. */
export const SECTION_FLAGS = [
  'endShowDashboard',
  'endShowInvoices',
  'endShowUsage',
  'endShowTransactions',
  'endShowReports',
  'endShowCostCentre',
  'endShowServiceItem',
] as const
export type SectionFlag = (typeof SECTION_FLAGS)[number]

export type SectionName = 'dashboard' | 'invoices' | 'usage' | 'transactions' | 'reports' | 'cost-centre' | 'service-items'

export interface Section {
  readonly name: SectionName
  readonly flag: SectionFlag
  readonly route: `/${SectionName}`
  /** A fixed label, or the setting that contains it. */
  readonly label: string | { readonly from: 'invoiceLabelPlural' | 'endServiceItemDisplayName' }
}

/** The sections in the order of the menu [NAV-02]. The header menu, the portal's routes and the server's access check use this list. */
export const SECTIONS: readonly Section[] = [
  { name: 'dashboard', flag: 'endShowDashboard', route: '/dashboard', label: 'Dashboard' },
  { name: 'invoices', flag: 'endShowInvoices', route: '/invoices', label: { from: 'invoiceLabelPlural' } },
  { name: 'transactions', flag: 'endShowTransactions', route: '/transactions', label: 'Transactions' },
  { name: 'usage', flag: 'endShowUsage', route: '/usage', label: 'Usage' },
  { name: 'reports', flag: 'endShowReports', route: '/reports', label: 'Reports' },
  { name: 'cost-centre', flag: 'endShowCostCentre', route: '/cost-centre', label: 'Cost Centre Allocation' },
  { name: 'service-items', flag: 'endShowServiceItem', route: '/service-items', label: { from: 'endServiceItemDisplayName' } },
]

/** The order in which `/` tries the sections [NAV-01]. */
export const HOME_ORDER: readonly SectionName[] = [
  'dashboard',
  'invoices',
  'usage',
  'transactions',
  'reports',
  'cost-centre',
  'service-items',
]

export type SectionFlags = Readonly<Record<SectionFlag, boolean>>

/** The sections of the portal that a brand shows, in the order of the menu. */
export const openSections = (flags: SectionFlags): readonly Section[] => SECTIONS.filter((section) => flags[section.flag])

/** Whether an endpoint of these sections is open under these flags. An endpoint of no section always is. */
export const isAnySectionOpen = (sections: readonly SectionName[] | undefined, flags: SectionFlags): boolean =>
  sections === undefined || SECTIONS.some((section) => sections.includes(section.name) && flags[section.flag])
