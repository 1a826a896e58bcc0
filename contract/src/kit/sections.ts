/** Brand flags that open a section, a tile or a column. Spelt as the specification spells them (portal.md §3). */
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
  /** Fixed label, or the setting that the label is read from. */
  readonly label: string | { readonly from: 'invoiceLabelPlural' | 'endServiceItemDisplayName' }
}

/**
 * THE list of sections in the order in which `/` tries them (portal.md §2).
 * Header menu, `/` redirect, route guard and the server's gate all read it.
 */
export const SECTIONS: readonly Section[] = [
  { name: 'dashboard', flag: 'endShowDashboard', route: '/dashboard', label: 'Dashboard' },
  { name: 'invoices', flag: 'endShowInvoices', route: '/invoices', label: { from: 'invoiceLabelPlural' } },
  { name: 'usage', flag: 'endShowUsage', route: '/usage', label: 'Usage' },
  { name: 'transactions', flag: 'endShowTransactions', route: '/transactions', label: 'Transactions' },
  { name: 'reports', flag: 'endShowReports', route: '/reports', label: 'Reports' },
  { name: 'cost-centre', flag: 'endShowCostCentre', route: '/cost-centre', label: 'Cost Centre Allocation' },
  { name: 'service-items', flag: 'endShowServiceItem', route: '/service-items', label: { from: 'endServiceItemDisplayName' } },
]

export type SectionFlags = Readonly<Record<SectionFlag, boolean>>

/** The sections that a brand shows, in order. */
export const openSections = (flags: SectionFlags): readonly Section[] => SECTIONS.filter((section) => flags[section.flag])

/** May a call that belongs to these sections be made under these flags? A call of no section always may. */
export const isAnySectionOpen = (sections: readonly SectionName[] | undefined, flags: SectionFlags): boolean =>
  sections === undefined || SECTIONS.some((section) => sections.includes(section.name) && flags[section.flag])
